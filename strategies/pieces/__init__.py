"""Vetted parts of strategies: small causal functions whose text is put into generated files."""
