"""Sample requests of acceptances."""

from app.server.legal.rules import VERSIONS
from tests.server.samples import Sample

DOCUMENTS = [{"document": document, "version": v} for document, v in VERSIONS.items()]
SAMPLES = {"POST /api/system/legal/acceptances": Sample({"documents": DOCUMENTS})}
