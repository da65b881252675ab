"""What the lab sets: its name and address, logo, and switches."""
