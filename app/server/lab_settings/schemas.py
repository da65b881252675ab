"""HTTP shapes of the lab's settings."""

from app.server.access.schemas import Permission, Shape


class ResultEntrySettings(Shape):
    """Who may enter results, and whether the caller may enter and release them."""

    result_entry_enabled: bool
    result_entry_super_user: bool
    result_entry_client_admin: bool
    result_entry_client_basic: bool
    result_verification_required: bool
    can_enter_results: Permission
    can_release_results: Permission


class ReasonShape(Shape):
    """A reason to choose from a list."""

    code: str
    words: str


class CollectionSiteShape(Shape):
    """A place where specimens are collected."""

    name: str
