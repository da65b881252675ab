"""Every sentence a user reads, once (O 5, O 8, R 5, R 8, P 5, P 8), a file for each slice.

The specification's own texts are kept to the letter, odd grammar included. ``{name}`` marks a
placeholder. A constant's name is its stable key in ``shared/vocabulary/messages.json``; a name that
two files give, and a file that is not gathered here, fail ``make check``.
"""

from app.contract.messages.accounts import *
from app.contract.messages.addresses import *
from app.contract.messages.attachments import *
from app.contract.messages.billing import *
from app.contract.messages.catalog import *
from app.contract.messages.common import *
from app.contract.messages.desktop import *
from app.contract.messages.drafts import *
from app.contract.messages.favorite_panels import *
from app.contract.messages.lists import *
from app.contract.messages.orders import *
from app.contract.messages.paperwork import *
from app.contract.messages.patient_timeline import *
from app.contract.messages.patients import *
from app.contract.messages.physicians import *
from app.contract.messages.requisitions import *
from app.contract.messages.results import *
from app.contract.messages.transmissions import *
