"""The broker interface, and one adapter per broker."""
