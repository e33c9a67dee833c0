"""Decides and speaks. Never imports or runs a strategy."""
