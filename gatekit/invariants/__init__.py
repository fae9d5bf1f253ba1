"""Rules over a whole conversation: orders of events, and the ready ones that agents break most often."""
