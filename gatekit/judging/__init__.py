"""Floor 5: rules become a gate, findings a verdict, verdicts a report."""
