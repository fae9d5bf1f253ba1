"""Floor 1: errors, immutable values, exact numbers, canonical JSON, and the reading and writing of files."""
