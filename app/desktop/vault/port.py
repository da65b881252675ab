"""The interface of the vault, which has two implementations."""

from typing import Protocol


class Vault(Protocol):
    """Stores one refresh token for one portal.

    ``is_persistent`` says whether the token survives the app; ``/capabilities`` shows it to the
    user. No method raises: a keyring that fails while the app runs becomes one that stores nothing.
    """

    @property
    def is_persistent(self) -> bool:
        """Whether a saved token is available at the next start."""
        ...

    def build_for(self, portal_url: str) -> "Vault":
        """Return the vault of another portal."""
        ...

    async def load(self) -> str | None:
        """Return the token, or ``None``."""
        ...

    async def save(self, token: str) -> None:
        """Replace the token."""
        ...

    async def clear(self) -> None:
        """Remove the token; harmless if there is none."""
        ...
