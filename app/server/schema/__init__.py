"""All tables together, and the migrations that make them."""
