"""`make walkthrough`: records a real run of the demo for the README, as a film and as pictures."""
