"""Client facilities with their units and rooms."""
