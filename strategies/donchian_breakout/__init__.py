"""Donchian breakout."""
