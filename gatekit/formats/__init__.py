"""Floor 2: formats that are read strictly, and paths into what they hold."""
