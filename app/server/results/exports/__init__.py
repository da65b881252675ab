"""Result Export: the released results of all families as rows of a file (P 2, DECISIONS)."""
