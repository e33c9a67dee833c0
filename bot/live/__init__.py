"""The part of a live run that needs no strategy: leave to run, limits, secrets, the audit log."""
