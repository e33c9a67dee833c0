"""Reads conditions: one comparison, cross, candle or state each."""
