"""Live changes: events about changed records for actors who may see them (DESIGN, step 9)."""
