"""git over HTTP: git's own `http-backend` answers, behind the twin's tokens and rights."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from bot.twin import access, gitrepo, selfrule
from bot.twin.app import Endpoint, make_call
from bot.twin.asked import Asked
from bot.twin.call import Answer, Call, Problem
from bot.twin.moves import moved
from bot.twin.protection import push_refused
from bot.twin.site import Site

SECONDS = 600
SERVICES = ("git-upload-pack", "git-receive-pack")
HOOKS = {
    # Told apart by the twin before the push; git itself refuses, in the words a client shows.
    "pre-receive": """#!/bin/sh
cat > "$TWIN_ASKED"
while read -r old new ref; do
  case "$TWIN_REFUSED" in *"|$ref|"*)
    echo "error: GH006: Protected branch update failed for $ref." >&2; exit 1;;
  esac
done <"$TWIN_ASKED"
"""
    + selfrule.HOOK,
    # Exactly what git took, so that nothing is told that did not happen.
    "post-receive": '#!/bin/sh\ncat > "$TWIN_TAKEN"\n',
}


def git_routes(site: Site) -> list[tuple[str, list[str], Endpoint]]:
    hooks = site.data / "hooks"
    hooks.mkdir(exist_ok=True)
    for name, text in HOOKS.items():
        (hooks / name).write_text(text)
        (hooks / name).chmod(0o755)
    paths = ("info/refs", *SERVICES)
    return [(f"/<owner>/<repo>/{path}", ["GET", "POST"], serve) for path in paths]


def serve(site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    try:
        asked.check_host()
        return _serve(site, asked, args["owner"], args["repo"].removesuffix(".git"))
    except Problem as problem:
        asks = {"WWW-Authenticate": 'Basic realm="GitHub"'} if problem.status == 401 else {}
        return Answer(problem.status, None, asks, f"{problem}\n".encode(), "text/plain")


def _serve(site: Site, asked: Asked, owner: str, name: str) -> Answer:
    rest = asked.whole_path.split("/", 3)[3]
    service = asked.query.get("service", "") if rest == "info/refs" else rest
    if service not in SERVICES:
        raise Problem(403, "Please upgrade your git client. This twin speaks the smart protocol.")
    call = _caller(site, asked, owner, name, service == "git-receive-pack")
    if rest != "git-receive-pack":
        return _backend(call, asked, rest, {})
    with tempfile.TemporaryDirectory(prefix="twin-push-") as folder:
        taken = Path(folder) / "taken"
        more = {"TWIN_TAKEN": str(taken), "TWIN_REFUSED": _refused(call, asked.raw)}
        more |= {"TWIN_ASKED": str(Path(folder) / "asked"), "TWIN_JOB": _job(call)}
        answer = _backend(call, asked, rest, more)
        rows = taken.read_text().splitlines() if taken.exists() else []
    _tell(call, [row.split(" ", 2) for row in rows])
    return answer


def _caller(site: Site, asked: Asked, owner: str, name: str, writes: bool) -> Call:
    db = site.store.reader
    token = access.identify(db, asked.headers.get("Authorization"), site.clock.now())
    call = make_call(site, db, asked, {"owner": owner, "repo": name}, token)
    try:
        access.admit(call, "write" if writes else "read", writes)
    except Problem as problem:
        if call.user is None:  # git asks for a password then, instead of giving up
            raise Problem(401, "Repository not found or authentication required.") from None
        raise problem
    return call


def _job(call: Call) -> str:
    """For a job: the ref against which its workflows are looked at."""
    return f"refs/heads/{call.repo['default_branch']}" if call.silent else ""


def _refused(call: Call, raw: bytes) -> str:
    """The refs of this push that protection forbids, in the form that the hook looks through."""
    store = gitrepo.open_repo(call.site.folder(call.repo))
    names = []
    for old, new, ref in _commands(raw):
        known, deletes = old in store and new in store, new == gitrepo.ZERO
        forced = known and not gitrepo.is_ancestor(store, old, new)
        default = ref == f"refs/heads/{call.repo['default_branch']}"
        refused = push_refused(call, ref, forced=forced, deletes=deletes)
        if refused or (default and deletes):
            names.append(ref)
    return f"|{'|'.join(names)}|" if names else ""


def _commands(raw: bytes) -> list[tuple[str, str, str]]:
    """What the client asks for: lines `old new ref`, each with its length before it."""
    found, at = [], 0
    while at + 4 <= len(raw):
        try:
            size = int(raw[at : at + 4], 16)
        except ValueError:
            break
        if size < 5:
            break
        parts = raw[at + 4 : at + size].split(b"\0")[0].decode(errors="replace").split()
        if len(parts) == 3:
            found.append((parts[0], parts[1], parts[2]))
        at += size
    return found


def _backend(call: Call, asked: Asked, rest: str, more: dict[str, str]) -> Answer:
    raw = asked.raw
    folder = call.site.folder(call.repo)
    env = {
        "PATH": os.environ.get("PATH", ""), "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PROJECT_ROOT": str(folder.parent.resolve()), "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{folder.name}/{rest}", "REQUEST_METHOD": asked.verb,
        "QUERY_STRING": asked.query_string, "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": asked.headers.get("Content-Type"), "CONTENT_LENGTH": str(len(raw)),
        "HTTP_CONTENT_ENCODING": asked.headers.get("Content-Encoding"),
        "GIT_PROTOCOL": asked.headers.get("Git-Protocol"),
        "REMOTE_USER": call.user["login"] if call.user else "", "GIT_CONFIG_COUNT": "3",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str((call.site.data / "hooks").resolve()),
        "GIT_CONFIG_KEY_1": "receive.hideRefs", "GIT_CONFIG_VALUE_1": "refs/pull",
        "GIT_CONFIG_KEY_2": "safe.directory", "GIT_CONFIG_VALUE_2": "*", **more,
    }  # fmt: skip
    done = subprocess.run(
        ["git", "http-backend"], input=raw, capture_output=True, env=env, timeout=SECONDS
    )
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    if not head:
        raise Problem(500, done.stderr.decode(errors="replace")[-300:] or "git did not answer")
    headers: dict[str, Any] = dict(
        line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line
    )
    status = int(headers.pop("Status", "200").split()[0])
    kind = str(headers.pop("Content-Type", "text/plain"))
    return Answer(status, None, headers, body, kind)


def _tell(call: Call, taken: list[list[str]]) -> None:
    """After git's own work and before its answer: what was answered is known to the twin."""
    if not taken:
        return
    with call.site.store.writing() as db:
        call.view = type(call.view)(db, call.view.api, call.view.web)
        for old, new, ref in taken:
            before = None if old == gitrepo.ZERO else old
            after = None if new == gitrepo.ZERO else new
            moved(call, ref, before, after)
    call.site.events.set()
