"""The tables of all slices, and the migrations that create them."""
