"""Rules of our own that flake8 applies to the tests (see `.flake8`)."""
