"""The live gate: its table, its run on the twin, and the whole way there and back."""
