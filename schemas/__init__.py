"""Every document that is stored or crosses a process."""
