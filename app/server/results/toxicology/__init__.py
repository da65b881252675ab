"""Toxicology results: what was detected, judged by the reported medications."""
