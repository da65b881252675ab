"""All tables of the house, imported so that ``metadata`` knows them."""

from app.server.access import models as access
from app.server.accounts import models as accounts
from app.server.addresses import models as addresses
from app.server.attachments import models as attachments
from app.server.audit import models as audit
from app.server.billing import models as billing
from app.server.catalog import models as catalog
from app.server.changes import models as changes
from app.server.clients import models as clients
from app.server.database.base import metadata
from app.server.drafts import models as drafts
from app.server.favorite_panels import models as favorite_panels
from app.server.lab_settings import models as lab_settings
from app.server.orders import models as orders
from app.server.patients import models as patients
from app.server.physicians import models as physicians
from app.server.requisitions import models as requisitions
from app.server.results.clinical import models as clinical_results
from app.server.transmissions import models as transmissions

__all__ = [
    "access",
    "accounts",
    "addresses",
    "attachments",
    "audit",
    "billing",
    "catalog",
    "changes",
    "clients",
    "clinical_results",
    "drafts",
    "favorite_panels",
    "lab_settings",
    "metadata",
    "orders",
    "patients",
    "physicians",
    "requisitions",
    "transmissions",
]
