"""Tests of the live side: real processes, a real git checkout, a simulated exchange."""
