"""What is refused or asked about, and why."""
