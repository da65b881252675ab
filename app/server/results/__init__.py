"""Results: a package for each family, with the same modules."""
