"""The hosted portal: everything that needs the database."""
