"""Drafts: unsaved work on requisitions, each person's own."""
