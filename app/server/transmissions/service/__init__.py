"""Verbs: ask for something to be sent, look what became of it, and the worker's part."""
