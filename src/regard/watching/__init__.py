"""Models of others, run by their own code: what their attention computed, kept without changing it."""
