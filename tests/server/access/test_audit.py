"""Every read and write of records has an audit row of its request."""

import uuid

from fastapi import FastAPI

from tests.server.samples import build_path, build_realm, get_sample, list_routes
from tests.server.world import World

_REFERENCE = frozenset(
    {
        "GET /api/system/application",
        "GET /api/settings/results",
        "GET /api/settings/supply-categories",
        "GET /api/system/lab-settings",
        "GET /api/system/lab-settings/history",
        "GET /api/system/lab-settings/sending",
        "GET /api/system/settings/billing",
        "GET /api/system/settings/license",
        "GET /api/system/settings/logo",
        "GET /api/system/settings/report",
        "GET /api/system/settings/result-entry",
        "GET /api/v2/address/zip-code",
        "GET /api/v2/address/zip-code/{zip_code}/zip-code-extra",
        "GET /api/v2/autoverification/remote-operations",
        "GET /api/v2/autoverification/rules/{test_id}",
        "GET /api/v2/billing-information/bill-types/remote-operations",
        "GET /api/v2/billing-information/payers/best-match",
        "GET /api/v2/billing-information/payers/remote-operations/{bill_type_id}",
        "GET /api/v2/clients/advanced-search-clients",
        "GET /api/v2/clients/by-ids",
        "GET /api/v2/clients/remote-operations",
        "GET /api/v2/clients/units/{unit_id}/rooms/remote-operations",
        "GET /api/v2/clients/{client_id}/rooms/remote-operations",
        "GET /api/v2/clients/{client_id}/units/remote-operations",
        "GET /api/v2/collection-sites",
        "GET /api/v2/diagnoses/best-match",
        "GET /api/v2/diagnoses/remote-operations",
        "GET /api/v2/diagnoses/validity",
        "GET /api/v2/lab-data",
        "GET /api/v2/lab-data/lookups/{lookup}",
        "GET /api/v2/lab-data/{kind}",
        "GET /api/v2/lab-data/{kind}/{row_id}",
        "GET /api/v2/lab-data/{kind}/{row_id}/history",
        "POST /api/v2/lab-data/{kind}/csv/preview",
        "GET /api/v2/medications/remote-operations",
        "GET /api/v2/microbiology/lists",
        "GET /api/v2/orders/advanced-search/columns",
        "GET /api/v2/patients/gender-identities",
        "GET /api/v2/patients/sexual-orientations",
        "GET /api/v2/physicians/by-name",
        "GET /api/v2/physicians/by-npi",
        "GET /api/v2/physicians/ids",
        "GET /api/v2/physicians/remote-operations",
        "GET /api/v2/physicians/remote-operations-all-entries",
        "GET /api/v2/public-settings/autoverification",
        "GET /api/v2/public-settings/missing-info",
        "GET /api/v2/public-settings/toxicology-results",
        "GET /api/v2/public-settings/web-results",
        "GET /api/v2/reasons",
        "GET /api/v2/tests/advanced-search",
        "GET /api/v2/tests/frequent",
        "GET /api/v2/tests/ids-with-children",
        "GET /api/v2/tests/remote-operations",
        "GET /api/v2/tests/with-children",
    }
)
"""Lists and settings of the lab that hold no patient's data."""
_OWN = frozenset(
    {
        "GET /api/v2/orders/{order_id}/results-types",
        "GET /api/system/legal",
        "GET /api/system/support-requests",
        "GET /api/v2/changes",
        "GET /api/v2/favorite-panels",
        "GET /api/v2/orders/saved-searches",
        "GET /api/v2/result-exports",
        "GET /api/v2/result-exports/preview",
        "GET /api/v2/result-exports/{export_id}",
        "GET /api/v2/waiting",
        "GET /auth/jwt/validate",
        "GET /auth/second-factor",
        "GET /auth/sessions",
        "GET /auth/storage-key",
    }
)
"""Values about the actor's own account, counts of records, and kinds of results."""
_SAMPLES_WITHOUT_RECORDS = frozenset(
    {
        "GET /api/v2/orders/transmissions",
        "GET /api/v2/requisitions/by-code",
        "GET /api/v2/requisitions/drafts",
        "GET /api/v2/requisitions/transmissions",
        "POST /api/v2/patients/look-alikes",
        "PUT /api/system/lab-settings",
        "PUT /api/v2/autoverification/rules/{test_id}",
        "PUT /api/v2/lab-data/{kind}/{row_id}",
        "PUT /api/v2/orders/{order_id}/microbiology-entry/{culture_test_id}",
        "PUT /api/v2/orders/{order_id}/pathology-entry/{order_test_id}",
        "PUT /api/v2/orders/{order_id}/result-entry",
        "PUT /api/v2/orders/{order_id}/toxicology-entry",
    }
)
"""Samples that find or change nothing; the tests of their slices check the audit rows."""


def count_audit_rows(world: World, request_id: str) -> int:
    """Count the audit rows of a request."""
    count = "SELECT count(*) FROM audit_events WHERE request_id = %s"
    return int(world.run_sql(count, (request_id,)))


async def test_every_read_of_records_is_audited(world: World, portal_app: FastAPI) -> None:
    home = await build_realm(world)
    unaudited_calls = set()
    for method, route in list_routes(portal_app):
        if route.policy.roles is None:
            continue
        sample = get_sample(f"{method} {route.path}")
        for role in sorted(route.policy.roles):
            person, request_id = await world.sign_in(home.people[role]), uuid.uuid4().hex
            answer = await world.http.request(
                method,
                build_path(method, route, home.ids, person),
                headers={**person.headers, "X-Request-Id": request_id},
                json=sample.build_body(world, home.ids),
            )
            if answer.status_code < 300 and not count_audit_rows(world, request_id):
                unaudited_calls.add(f"{method} {route.path}")
    assert unaudited_calls == _REFERENCE | _OWN | _SAMPLES_WITHOUT_RECORDS
