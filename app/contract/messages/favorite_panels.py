"""Favorite panels."""

FAVORITE_SAVED = "Favorite {name} saved"
FAVORITE_REMOVED = "Favorite {name} removed"
FAVORITE_NAME_IN_USE = "You already have a favorite panel with this name"
FAVORITES_TOO_MANY = "You can have at most {max} favorite panels"
FAVORITE_SKIPPED = "Not added from {name}: {codes}. They cannot be ordered for this client now."
