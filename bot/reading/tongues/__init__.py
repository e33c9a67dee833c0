"""One file for each language: the words it is known by, and its trading phrases in English."""
