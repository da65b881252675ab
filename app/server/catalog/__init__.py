"""The catalog: tests, panels, reference ranges, diagnoses, and medications."""
