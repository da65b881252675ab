"""For workstations without a usable keyring: signed in until the app ends."""


class MemoryVault:
    """Keeps the token in this process alone."""

    keeps = False

    def __init__(self) -> None:
        self._token: str | None = None

    async def load(self) -> str | None:
        """The token, or ``None``."""
        return self._token

    async def save(self, token: str) -> None:
        """Replace the token."""
        self._token = token

    async def clear(self) -> None:
        """Forget the token."""
        self._token = None
