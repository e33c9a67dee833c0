"""Live brokers, and the program that runs an approved strategy on one of them."""
