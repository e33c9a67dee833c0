"""Takes jobs and runs them in threads; what a job needs to know, and what it leaves behind."""

from __future__ import annotations

import json
import secrets
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from bot.twin.actions import act, engine, expressions, gates, quick, runs
from bot.twin.actions.workflow import Job, Workflow, permissions_of
from bot.twin.plans import lacks
from bot.twin.sealed import opened_secrets
from bot.twin.seed import BOT_ID
from bot.twin.site import Site, settings
from bot.twin.store import Row, insert, many, one, update

Json = dict[str, Any]
AT_ONCE = 4
PAUSE = 0.5


@dataclass
class Work:
    """One job that is being run."""

    site: Site
    run: Row
    row: Row
    repo: Row
    file: Workflow
    job: Job
    context: Json
    token: str
    hidden: list[str] = field(default_factory=list)

    def cancelled(self) -> bool:
        if self.site.stopping.is_set():
            return True
        sql = "SELECT status FROM jobs WHERE id = ?"
        found = one(self.site.store.reader, sql, self.row["id"])
        return found is None or found["status"] == "completed"

    def clean(self, text: str) -> str:
        for secret in self.hidden:
            text = text.replace(secret, "***")
        return text

    def note(self, log: str, steps: list[Json]) -> None:
        with self.site.store.writing() as db:
            update(db, "jobs", self.row["id"], log=self.clean(log), steps=json.dumps(steps))


@dataclass
class Runner:
    site: Site
    taken: set[int] = field(default_factory=set)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(AT_ONCE, "job"))

    def forever(self, stop: threading.Event) -> None:
        """Looks whenever something was written, and now and then for the clock's sake."""
        self._forget_the_lost()
        while not stop.is_set():
            self.site.news.wait(PAUSE)
            self.site.news.clear()
            try:
                self.look()
            except Exception:
                traceback.print_exc()

    def look(self) -> None:
        sql = "SELECT 1 FROM runs WHERE status != 'completed' LIMIT 1"
        if one(self.site.store.reader, sql) is None:
            return
        with self.site.store.writing() as db:
            gates.open_by_time(self.site, db)
        for key in engine.advance_all(self.site):
            if key not in self.taken:
                self.taken.add(key)
                self.pool.submit(self._one, key)

    def _forget_the_lost(self) -> None:
        with self.site.store.writing() as db:
            for job in many(db, "SELECT * FROM jobs WHERE status = 'in_progress'"):
                log = f"{job['log']}\nThe runner was lost.\n"
                runs.finish_job(self.site, db, job, "failure", log=log)

    def _one(self, key: int) -> None:
        try:
            self._run(key)
        except Exception:
            with self.site.store.writing() as db:
                job = one(db, "SELECT * FROM jobs WHERE id = ?", key)
                if job is not None:
                    log = f"{job['log']}\n{traceback.format_exc()}"
                    runs.finish_job(self.site, db, job, "failure", log=log)
        finally:
            self.site.news.set()

    def _run(self, key: int) -> None:
        work = self._take(key)
        if work is None:
            return
        conclusion, outputs = EXECUTORS[self.site.executor](work)
        with self.site.store.writing() as db:
            runs.finish_job(self.site, db, work.row, conclusion, outputs=json.dumps(outputs))
            gates.tell(self.site, db, work.run, work.row, conclusion)

    def _take(self, key: int) -> Work | None:
        site = self.site
        with site.store.writing() as db:
            row = one(db, "SELECT * FROM jobs WHERE id = ? AND status = 'queued'", key)
            if row is None:
                return None
            at = site.clock.stamp()
            update(db, "jobs", key, status="in_progress", started_at=at)
            update(db, "checks", row["check_id"], status="in_progress", started_at=at)
            run = runs.find(db, row["run_id"])
            gates.tell(site, db, run, row, "in_progress")
            repo, file = runs.repo_row(db, run["repo_id"]), runs.load(site, db, run)
            job = file.jobs[row["key"]]
            given = permissions_of(file.raw, job.raw, str(settings(repo)["actions_default"]))
            token = f"ghs_{key}_{secrets.token_hex(16)}"
            sql = "INSERT INTO tokens (token, user_id, repo_id, run_id, permissions) "
            values = (token, BOT_ID, repo["id"], run["id"], json.dumps(given))
            db.execute(f"{sql} VALUES (?, ?, ?, ?, ?)", values)
            context = self._context(db, run, row, file, job, token)
        hidden = [token, *(v for k, v in context["secrets"].items() if v and k != "GITHUB_TOKEN")]
        return Work(site, run, row, repo, file, job, context, token, hidden)

    def _context(self, db: Any, run: Row, row: Row, file: Workflow, job: Job, token: str) -> Json:
        context = runs.context(self.site, db, run, file)
        rows: dict[str, list[Row]] = {}
        for other in runs.jobs_of(db, run):
            rows.setdefault(other["key"], []).append(other)
        context["needs"] = {need: engine.result_of(rows[need]) for need in job.needs}
        context["matrix"] = json.loads(row["matrix"])
        place = row["environment"] or ""
        if lacks(db, runs.repo_row(db, run["repo_id"]), "environments"):
            place = ""  # docs: its secrets are ignored
        known = opened_secrets(self.site, db, run["repo_id"], place)
        context["secrets"] = {**known, "GITHUB_TOKEN": token}
        context["github"] |= {"token": token, "job": job.key}
        sql = "SELECT name, value FROM variables WHERE repo_id = ? AND environment = ?"
        own = many(db, sql, run["repo_id"], row["environment"] or "")
        context["vars"] |= {v["name"]: v["value"] for v in own}
        for source in (file.raw, job.raw):
            more = expressions.value_of(source.get("env") or {}, context)
            context["env"] |= {k: expressions.fill(str(v), context) for k, v in more.items()}
        return context


def keep_artifact(work: Work, name: str, content: bytes, days: int = 90) -> None:
    from bot.twin.clock import stamp

    now = work.site.clock.now()
    with work.site.store.writing() as db:
        insert(
            db, "artifacts", repo_id=work.repo["id"], run_id=work.run["id"], name=name,
            content=content, created_at=stamp(now), expires_at=stamp(now + 86_400 * days),
        )  # fmt: skip


EXECUTORS = {"quick": quick.run, "act": act.run}
