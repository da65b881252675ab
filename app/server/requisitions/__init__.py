"""Requisitions: what is ordered, by whom, for whom, signed or not."""
