"""Write the JSON Schemas, or check one document by hand."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from schemas import codec
from schemas.outside import problems
from schemas.types import DOCUMENTS

FOLDER = Path(__file__).parent / "json"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m schemas", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    check = commands.add_parser("validate", help="check one document by hand")
    check.add_argument("file", type=Path)
    check.add_argument("--type", required=True, choices=sorted(DOCUMENTS), metavar="KIND",
                       help="one of: " + ", ".join(sorted(DOCUMENTS)))  # fmt: skip
    args = parser.parse_args(argv)
    return validate(args.file, args.type) if args.command == "validate" else write()


def write() -> int:
    FOLDER.mkdir(exist_ok=True)
    for name in DOCUMENTS:
        (FOLDER / f"{name}.schema.json").write_text(codec.json_schema(name))
    print(f"{len(DOCUMENTS)} schemas written to {FOLDER}")
    return 0


def validate(file: Path, name: str) -> int:
    try:
        found = problems(name, file.read_bytes())
    except OSError as error:
        print(f"{file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    if found:
        print(f"{file}: not a valid {name}", *found, sep="\n  ", file=sys.stderr)
        return 1
    print(f"{file}: valid {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
