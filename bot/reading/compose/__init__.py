"""Puts what was read together: sides, mirrors, exits, levels."""
