"""Which sentence of a request became which statement of its sheet: from the two texts alone."""
