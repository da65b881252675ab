"""The ways out of the house: one port, and what stands behind it."""
