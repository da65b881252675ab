"""Errors of favorite panels."""

from app.basics.errors import Conflict


class FavoriteNameInUse(Conflict):
    """409: the user has another favorite panel with this name."""

    code = "favorite_name_in_use"
