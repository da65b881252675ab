"""The running portal: settings, database, files, authentication. The host builds it once."""

from dataclasses import dataclass, field

from app.server.access.parts import Part
from app.server.accounts.authentication import Authentication
from app.server.accounts.passwords import Passwords
from app.server.accounts.second_factors import SecondFactorKey
from app.server.accounts.storage_keys import StorageKeys
from app.server.accounts.tokens import Tokens
from app.server.addresses.plus4 import AddressService
from app.server.attachments.store import FileStore
from app.server.changes.feed import Feed
from app.server.database.pools import Database
from app.server.drawing_pool import DrawingPool
from app.server.exports.source import ExportSources
from app.server.keys import Cipher
from app.server.lists.spec import ListSpec
from app.server.patients.lists import build_patient_list
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.settings import Settings
from app.server.slices import SLICES
from app.server.transmissions.senders.choose import Senders, build_senders


@dataclass
class Portal:
    """The parts that requests and jobs may need beyond their own transaction.

    Attributes:
        answers: encrypts the stored answers of requests with an idempotency key.
    """

    settings: Settings
    database: Database
    tokens: Tokens
    passwords: Passwords
    ssn: SocialSecurityNumbers
    storage_keys: StorageKeys
    answers: Cipher
    second_factor_key: SecondFactorKey
    addresses: AddressService
    files: FileStore = field(init=False)
    authentication: Authentication = field(init=False)
    patient_list: ListSpec = field(init=False)
    changes: Feed = field(init=False)
    senders: Senders = field(init=False)
    exports: ExportSources = field(init=False)
    drawing_pool: DrawingPool = field(init=False)

    def get_part(self, kind: type[Part]) -> Part:
        """Return the part of this type, or raise LookupError."""
        for value in vars(self).values():
            if isinstance(value, kind):
                return value
        raise LookupError(kind.__name__)

    def __post_init__(self) -> None:
        self.files = FileStore.open(self.settings.files_url, self.settings.data_dir / "files")
        self.changes = Feed(self.database)
        self.authentication = Authentication(
            self.database, self.tokens, on_change=self.changes.check_rights
        )
        self.drawing_pool = DrawingPool(self.settings.drawing_processes)
        self.senders = build_senders(self.settings)
        self.exports = ExportSources([source for slice_ in SLICES for source in slice_.exports])
        # The only list whose declaration needs a key, for the hash of social security numbers.
        self.patient_list = build_patient_list(self.ssn.hash)
