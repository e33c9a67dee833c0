"""Facts about a strategy from an isolated run."""
