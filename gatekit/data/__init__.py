"""Floor 3: what was captured, how it is read, and what of it may be shown."""
