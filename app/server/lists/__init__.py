"""'Remote operations': page, sort, filter and count as one SQL statement that returns JSON."""
