"""Shared parts of both hosts and the UI: enumerations, limits, choices and messages.

Python is the source. ``python -m app contract`` writes it to ``shared/``, and the UI's generator
turns that into TypeScript. Nothing here imports a framework.
"""
