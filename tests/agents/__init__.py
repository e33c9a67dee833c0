"""The pure part of the agents."""
