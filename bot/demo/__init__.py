"""`make demo`: one request on a local GitHub, from its first word to a delivery to review."""
