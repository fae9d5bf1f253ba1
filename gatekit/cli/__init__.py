"""Floor 8: the command line, one module a command."""
