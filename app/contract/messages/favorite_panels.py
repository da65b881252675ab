"""People's own panels of tests."""

FAVORITE_SAVED = "Favorite {name} saved"
FAVORITE_REMOVED = "Favorite {name} removed"
FAVORITE_NAME_IN_USE = "You have a favorite panel of this name"
FAVORITES_TOO_MANY = "At most {max} favorite panels can be kept"
FAVORITE_SKIPPED = "Not added from {name}: {codes}. They can not be ordered for this client now."
