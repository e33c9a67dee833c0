"""The sandbox, on a real engine: nothing here is imitated."""
