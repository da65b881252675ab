"""Speed as ratios against the bare parts, measured in one run on one machine (DESIGN 'Budgets')."""
