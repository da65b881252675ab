"""Speed as ratios to bare servers, measured in one run (DESIGN 'Budgets')."""
