"""Commands for the hand, by what they are about."""
