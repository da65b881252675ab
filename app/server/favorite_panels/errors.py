"""What can stand in the way of a favorite panel."""

from app.basics.errors import Conflict


class FavoriteNameInUse(Conflict):
    """409: the person has another favorite panel of this name."""

    code = "favorite_name_in_use"
