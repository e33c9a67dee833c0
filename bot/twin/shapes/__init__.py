"""Rows -> GitHub's JSON. Nothing here changes anything."""
