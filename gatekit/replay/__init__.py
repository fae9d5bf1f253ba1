"""Floor 6: recording a real interaction once, and replaying it against every change."""
