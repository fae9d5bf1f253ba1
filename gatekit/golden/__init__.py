"""Floor 6: golden sets, cases in files, judged as a set."""
