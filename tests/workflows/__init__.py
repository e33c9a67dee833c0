"""The files in .github: what the tools say of them, our own rules, and whether they run."""
