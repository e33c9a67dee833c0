"""Reads sentences: actions joined with their conditions."""
