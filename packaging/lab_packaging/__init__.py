"""Builds the packages of the desktop app: what is bundled, its notices, and each format."""
