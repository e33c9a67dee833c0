"""Records the demo, draws the film, takes the pictures, and says what it made of what."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.walkthrough import cast, film, shots
from tests.walkthrough.record import record

COMMAND = ("stratbot", "demo")
READY = "Ctrl-C stops it"


def main() -> None:
    made: list[Path] = []
    film.PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="walkthrough-") as folder:
        recorded = record(
            COMMAND,
            Path(folder),
            os.environ,
            READY,
            lambda said: made.extend(shots.shoot(said, film.PICTURES)),
        )
    cast.write(recorded, film.PICTURES / "demo.cast")
    made += film.draw()
    print(f"`{recorded.command}` ran for {recorded.seconds:.0f} s and said:\n{recorded.text}")
    for path in made:
        print(f"{path.stat().st_size:>8,} bytes  {path.relative_to(film.PICTURES.parents[1])}")


if __name__ == "__main__":
    main()
