"""The benchmark: `make bench`. Nothing here runs with the tests except a small agreement check."""
