"""What the README shows, run on a clean clone."""
