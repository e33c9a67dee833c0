"""The agents: from a document to a document, by rules. Pure."""
