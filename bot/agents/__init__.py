"""What the writers share: rules that hold whether a model writes or nobody does. Pure."""
