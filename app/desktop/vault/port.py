"""The credentials port: two implementations, one contract."""

from typing import Protocol


class Vault(Protocol):
    """Keeps one refresh token for one portal.

    ``keeps`` says whether it outlives the app; ``/capabilities`` tells the user. No method
    raises: a keyring that fails while the app runs turns into one that keeps nothing.
    """

    @property
    def keeps(self) -> bool:
        """Whether what is saved will be there at the next start."""
        ...

    async def load(self) -> str | None:
        """The token, or ``None``."""
        ...

    async def save(self, token: str) -> None:
        """Replace the token."""
        ...

    async def clear(self) -> None:
        """Forget the token; harmless when there is none."""
        ...
