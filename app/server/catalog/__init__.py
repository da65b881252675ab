"""What can be ordered: tests, panels, reference ranges, diagnoses."""
