"""What the running portal has: settings, database, authentication. Made once by the host."""

from dataclasses import dataclass, field

from app.server.accounts.authentication import Authentication
from app.server.accounts.passwords import Passwords
from app.server.accounts.tokens import Tokens
from app.server.database.pools import Database
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.settings import Settings


@dataclass
class Portal:
    """The parts a request may need beyond its own transaction."""

    settings: Settings
    database: Database
    tokens: Tokens
    passwords: Passwords
    ssn: SocialSecurityNumbers
    authentication: Authentication = field(init=False)

    def __post_init__(self) -> None:
        self.authentication = Authentication(self.database, self.tokens)
