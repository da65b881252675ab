"""What is done with clinical results."""
