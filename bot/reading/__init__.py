"""Reads a request for a strategy in plain words and makes a contract, questions or a refusal."""
