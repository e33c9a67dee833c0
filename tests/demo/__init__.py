"""The demo, as a person meets it."""
