"""What each request means, one module for each file in fixtures/requests/valid."""
