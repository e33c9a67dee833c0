"""What requests in plain words are read as."""
