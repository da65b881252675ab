"""A vault for workstations without a usable keyring; the sign-in ends with the app."""


class MemoryVault:
    """Stores the token in this process only."""

    is_persistent = False

    def __init__(self) -> None:
        self._token: str | None = None

    def build_for(self, portal_url: str) -> "MemoryVault":
        """Return an empty vault for another portal."""
        return MemoryVault()

    async def load(self) -> str | None:
        """Return the token, or ``None``."""
        return self._token

    async def save(self, token: str) -> None:
        """Replace the token."""
        self._token = token

    async def clear(self) -> None:
        """Remove the token."""
        self._token = None
