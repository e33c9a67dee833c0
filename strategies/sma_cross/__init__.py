"""SMA cross."""
