"""Results, a folder for each family: the same files in each."""
