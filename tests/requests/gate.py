"""Drafts requests without a model and puts each draft through the whole sandbox.

python -m tests.requests.gate --out DIR [--jsonl ../shared/requests/requests.jsonl] [--only ID]
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from bot.desk import written_for
from bot.io.offline import OfflineWriter
from tests.requests.corpus import requests

ROOT = Path(__file__).parent.parent.parent


def main() -> int:
    args = _arguments().parse_args()
    failed = 0
    for name, (title, body) in _asked(args.jsonl).items():
        if args.only and name not in args.only:
            continue
        folder = args.out / name
        folder.mkdir(parents=True, exist_ok=True)
        written = written_for(OfflineWriter(), title, body)
        for file, text in written.items():
            (folder / file).write_text(text)
        said = "answered" if "reply.md" in written else _judged(folder, args.backend)
        failed += said.startswith("failed")
        print(f"{name:20} {said}", flush=True)
    return int(failed > 0)


def _asked(jsonl: Path | None) -> dict[str, tuple[str, str]]:
    if jsonl is None:
        return {item.id: (item.title, item.body) for item in requests().values()}
    rows = [json.loads(line) for line in jsonl.read_text().splitlines()]
    return {row["id"]: (row["title"], row["body"]) for row in rows}


def _judged(folder: Path, backend: str) -> str:
    files = (
        ("--strategy", "strategy.py"),
        ("--tests", "test_strategy.py"),
        ("--contract", "contract.json"),
    )
    words = [w for flag, file in files for w in (flag, str(folder / file))]
    done = subprocess.run(
        [sys.executable, "sandbox/run_in_sandbox.py", *words, "--out", str(folder / "gate"),
         "--backend", backend],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    last = (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()[-1]
    return last if done.returncode in (0, 1) else f"failed: could not run: {last}"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Put drafts through the sandbox.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jsonl", type=Path, help="requests as in the shared corpus")
    parser.add_argument("--backend", default="docker")
    parser.add_argument("--only", action="append", metavar="ID")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
