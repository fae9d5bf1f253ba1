"""Floor 4: matchers, one module a family. A matcher is one deterministic check of a sample."""
