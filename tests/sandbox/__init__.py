"""Tests of sandbox/."""
