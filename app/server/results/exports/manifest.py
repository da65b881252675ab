"""The manifest of Result Export."""

from app.server.manifest import Manifest
from app.server.results.exports import endpoints
from app.server.results.exports.acts import ACTS
from app.server.results.exports.sources import SOURCES

MANIFEST = Manifest(
    name="results.exports",
    routers=(endpoints.router,),
    acts=ACTS,
    exports=SOURCES,
)
