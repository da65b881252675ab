"""A patient's results over time: one analyte across many orders (R 2.3)."""
