"""Tests of simbroker/."""
