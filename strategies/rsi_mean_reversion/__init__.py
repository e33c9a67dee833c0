"""RSI mean reversion."""
