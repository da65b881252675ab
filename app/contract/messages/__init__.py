"""The sentences that people read (O 5, O 8, R 5, R 8, P 5, P 8), one file per slice.

Texts of the specification stay to the letter, odd grammar included. ``{name}`` is a placeholder. A
constant's name is its stable key in ``shared/vocabulary/messages.json``. ``make check`` fails when
two files define a name, or when a file is not imported here.
"""

from app.contract.messages.accounts import *
from app.contract.messages.addresses import *
from app.contract.messages.attachments import *
from app.contract.messages.audit import *
from app.contract.messages.billing import *
from app.contract.messages.catalog import *
from app.contract.messages.common import *
from app.contract.messages.critical_results import *
from app.contract.messages.desktop import *
from app.contract.messages.drafts import *
from app.contract.messages.exports import *
from app.contract.messages.favorite_panels import *
from app.contract.messages.lab_data import *
from app.contract.messages.lab_settings import *
from app.contract.messages.legal import *
from app.contract.messages.lists import *
from app.contract.messages.microbiology import *
from app.contract.messages.operations import *
from app.contract.messages.order_search import *
from app.contract.messages.orders import *
from app.contract.messages.paperwork import *
from app.contract.messages.patient_timeline import *
from app.contract.messages.patients import *
from app.contract.messages.physicians import *
from app.contract.messages.requisitions import *
from app.contract.messages.results import *
from app.contract.messages.specimens import *
from app.contract.messages.support import *
from app.contract.messages.transmissions import *
from app.contract.messages.users import *
