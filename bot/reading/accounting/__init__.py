"""Holds a contract against the request's own words: what no part of it accounts for is asked about."""
