"""Mirrors the tree, plus crash, race, commands, schemas, architecture."""
