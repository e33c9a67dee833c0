"""All contracts that were written by hand, by name."""

from __future__ import annotations

from tests.agents.table_fills import FILLS
from tests.agents.table_indicators import INDICATORS
from tests.agents.table_nodes import NODES, RISKS

CONTRACTS = {made.name: made for made in (*INDICATORS, *NODES, *RISKS, *FILLS)}
