"""Reads operands: what has a value on every bar."""
