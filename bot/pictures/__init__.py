"""Pictures of a backtest as SVG text. Nothing here reads a file or the clock."""
