"""The manifest of labels and reports."""

from app.server.manifest import Manifest
from app.server.paperwork import (
    endpoints,
    models,
    order_label_endpoints,
    order_report_endpoints,
    report_endpoints,
)
from app.server.paperwork.acts import ACTS

MANIFEST = Manifest(
    name="paperwork",
    routers=(
        endpoints.router,
        order_label_endpoints.router,
        report_endpoints.router,
        order_report_endpoints.router,
    ),
    models=(models,),
    acts=ACTS,
)
