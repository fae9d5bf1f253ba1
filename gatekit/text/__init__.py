"""Floor 2: reading text the way a person does."""
