"""Errors of the advanced search."""

from app.basics.errors import BadInput, Conflict


class SearchTooBroad(BadInput):
    """400: the search would take too long; another condition makes it quick."""

    code = "search_too_broad"


class SearchNameInUse(Conflict):
    """409: the user has another saved search with this name."""

    code = "search_name_in_use"
