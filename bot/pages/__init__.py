"""Pages that need no server: the report of one strategy, and the site of all of them."""
