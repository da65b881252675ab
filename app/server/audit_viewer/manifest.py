"""The manifest of the audit viewer."""

from app.server.audit_viewer import acts, endpoints, lists, sources
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="audit_viewer",
    routers=(endpoints.router,),
    lists=(lists,),
    acts=acts.ACTS,
    exports=sources.SOURCES,
)
