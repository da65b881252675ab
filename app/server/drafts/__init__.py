"""Drafts: unsaved requisitions, visible only to their writer."""
