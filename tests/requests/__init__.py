"""Requests as people write them, what each must trade, and a scorer for drafted strategies."""
