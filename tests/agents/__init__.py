"""Tests of the agents: from a contract to code, tests and words."""
