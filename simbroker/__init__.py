"""The backtest broker and its statistics: pure, deterministic, fast."""
