"""Every planted fault still finds its line, so that `make mutants` cannot rot unseen."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, ROOT
from tests.planted import Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.what)
def test_a_planted_fault_finds_its_line(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text().count(mutant.line) == 1
    assert mutant.broken != mutant.line
