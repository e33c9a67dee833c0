"""Actions, as far as the bot needs them: what starts, what waits, who runs the steps."""
