"""Live changes: which records changed, told at once to whoever may see them (DESIGN, step 9)."""
