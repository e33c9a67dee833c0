"""The template, and one folder per strategy."""
