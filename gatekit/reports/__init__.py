"""Floor 7: reports, one module a format. A format is a function of a Report that gives text."""
