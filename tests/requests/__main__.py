"""Score a folder of drafts, or write the requests for a loop that drafts them.

python -m tests.requests --write DIR    # DIR/<id>/title and DIR/<id>/body.md
python -m tests.requests DIR            # DIR/<id>/strategy.py or DIR/<id>/reply.md
python -m tests.requests DIR --only golden-cross --only q-empty
"""

import argparse
from collections import Counter
from pathlib import Path

from tests.requests.corpus import Question, Request, questions, requests
from tests.requests.score import Score, score_folder


def main() -> int:
    args = _arguments().parse_args()
    everything: dict[str, Request | Question] = {**requests(), **questions()}
    items = [everything[name] for name in args.only or everything]
    if args.write:
        write(items, args.folder)
        return 0
    scores = {item.id: _told(score_folder(item, args.folder / item.id)) for item in items}
    for line in summary(items, scores):
        print(line)
    return int(not all(score.passed for score in scores.values()))


def write(items: list[Request | Question], folder: Path) -> None:
    for item in items:
        place = folder / item.id
        place.mkdir(parents=True, exist_ok=True)
        (place / "title").write_text(item.title)
        (place / "body.md").write_text(item.body)


def summary(items: list[Request | Question], scores: dict[str, Score]) -> list[str]:
    """Passed of all, for each kind and, among the valid ones, each style and difficulty."""
    groups = {item.id: _groups(item) for item in items}
    asked = Counter(group for found in groups.values() for group in found)
    passed = Counter(group for id, found in groups.items() if scores[id].passed for group in found)
    return [f"{group:28} {passed[group]:4} of {asked[group]}" for group in sorted(asked)]


def _groups(item: Request | Question) -> list[str]:
    if isinstance(item, Question):
        return ["questions", *(f"questions: {tag}" for tag in item.tags)]
    return ["valid", f"valid, {item.difficulty}", f"valid, style {item.style}"]


def _told(score: Score) -> Score:
    print(f"{'pass' if score.passed else 'FAIL'}  {score.id:26} {score.said}", flush=True)
    return score


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Score drafts of the request corpus.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="write titles and bodies into folder")
    parser.add_argument("--only", action="append", metavar="ID", help="this request; repeatable")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
