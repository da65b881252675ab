"""Routes and the permission rules of their acts, which must allow the same roles."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import getfile
from pathlib import Path

import app
from app.contract.enumerations import Role
from app.server.access.routing import PortalRoute
from app.server.manifest import Manifest
from app.server.slices import SLICES
from tests.rules.permissions import CASES, Case

_REQUISITIONS = "/api/v2/requisitions"
_PATIENTS = "/api/v2/patients"
RULES_OF_ROUTES: Mapping[str, tuple[str, ...]] = {
    f"POST {_REQUISITIONS}": ("create a requisition",),
    f"PUT {_REQUISITIONS}/change-bill-to": ("change a requisition",),
    f"POST {_REQUISITIONS}/{{requisition_id}}": ("change comments, copies, documents",),
    f"POST {_REQUISITIONS}/{{requisition_id}}/documents": ("change comments, copies, documents",),
    f"DELETE {_REQUISITIONS}/{{requisition_id}}/documents/{{document_id}}": (
        "change comments, copies, documents",
    ),
    f"POST {_REQUISITIONS}/{{requisition_id}}/save-billing-info": ("change a requisition",),
    f"POST {_REQUISITIONS}/{{requisition_id}}/save-diagnoses": (
        "change diagnoses and medications of a requisition",
    ),
    f"POST {_REQUISITIONS}/{{requisition_id}}/save-medications": (
        "change diagnoses and medications of a requisition",
    ),
    f"POST {_REQUISITIONS}/sign-multiple": ("sign a requisition",),
    f"POST {_REQUISITIONS}/{{requisition_id}}/unsign": ("unsign a requisition",),
    f"POST {_REQUISITIONS}/{{requisition_id}}/cancel": ("cancel a requisition",),
    "POST /api/v2/orders/sign-multiple": ("sign a requisition",),
    "POST /api/v2/orders/{order_id}/documents": ("attach a document to an order",),
    "DELETE /api/v2/orders/{order_id}/documents/{order_document_id}": (
        "remove a document of an order",
    ),
    "PUT /api/v2/orders/{order_id}/billing-information": (
        "fill in missing information of an order",
    ),
    "PUT /api/v2/orders/acknowledge": ("acknowledge an order",),
    "POST /api/v2/orders/{order_id}/unsign": ("unsign a requisition",),
    "POST /api/v2/orders/unsign-multiple": ("unsign a requisition",),
    f"POST {_REQUISITIONS}/receive": ("receive a requisition",),
    "PUT /api/v2/orders/{order_id}/specimens": ("receive specimens of an order",),
    "GET /api/v2/orders/{order_id}/earlier-recipients": (
        "see who had results before a correction",
    ),
    "POST /api/v2/reports/order/results-preview": ("preview results",),
    "GET /api/v2/orders/{order_id}/report-comments": ("release results",),
    "PUT /api/v2/orders/{order_id}/report-comment": (
        "release results",
        "release results of an order",
    ),
    "POST /api/v2/orders/{order_id}/cancel": ("cancel tests of an order",),
    "POST /api/v2/orders/{order_id}/reinstate": ("reinstate tests of an order",),
    f"POST {_REQUISITIONS}/transmission": ("send a requisition",),
    "POST /api/v2/orders/transmission": ("send results of an order",),
    "PUT /api/v2/orders/change-bill-to": ("change who is billed for an order",),
    f"GET {_REQUISITIONS}/labels": ("print labels of a requisition",),
    f"POST {_REQUISITIONS}/label-prints": ("print labels of a requisition",),
    f"PUT {_REQUISITIONS}/label-prints/{{label_job}}/outcome": ("print labels of a requisition",),
    f"GET {_REQUISITIONS}/{{requisition_id}}/labels": ("print labels of a requisition",),
    "GET /api/labels/orders/{order_id}": ("print labels of a requisition",),
    "GET /api/v2/orders/{order_id}/result-entry": ("open result entry",),
    "PUT /api/v2/orders/{order_id}/result-entry": (
        "enter results",
        "enter results of an order, all flags on",
    ),
    "PUT /api/v2/orders/{order_id}/microbiology-entry/{culture_test_id}": (
        "enter results",
        "enter results of an order, all flags on",
    ),
    "POST /api/v2/orders/{order_id}/microbiology-release": (
        "release results",
        "release results of an order",
    ),
    "GET /api/v2/orders/{order_id}/pathology-entry": ("open result entry",),
    "PUT /api/v2/orders/{order_id}/pathology-entry/{order_test_id}": (
        "enter results",
        "enter results of an order, all flags on",
    ),
    "POST /api/v2/orders/{order_id}/pathology-release": (
        "release results",
        "release results of an order",
    ),
    "GET /api/v2/orders/{order_id}/toxicology-entry": ("open result entry",),
    "PUT /api/v2/orders/{order_id}/toxicology-entry": (
        "enter results",
        "enter results of an order, all flags on",
    ),
    "POST /api/v2/orders/release-results": ("release results", "release results of an order"),
    "POST /api/v2/orders/{order_id}/toxicology-release": (
        "release results",
        "release results of an order",
    ),
    **{
        f"POST /api/v2/orders/{{order_id}}/{act}": (
            "release results",
            "release results of an order",
        )
        for act in ("release", "verify", "withhold", "restore", "holds", "holds/{hold_id}/lift")
    },
    **{
        f"POST /api/v2/orders/{{order_id}}/{family}-{act}": (
            "release results",
            "release results of an order",
        )
        for family in ("microbiology", "toxicology", "pathology")
        for act in ("withhold", "restore", "holds", "holds/{hold_id}/lift")
    },
    **{
        f"POST /api/v2/critical-results/{{notice_id}}/{act}": ("tell a client of critical results",)
        for act in ("calls", "close")
    },
    "POST /api/v2/result-exports": ("export results",),
    "POST /api/v2/orders/advanced-search/export": ("export the orders of a search",),
    "GET /api/v2/audit-events": ("read the audit log",),
    "GET /api/v2/audit-events/access-report/{patient_id}": ("read the audit log",),
    "POST /api/v2/audit-events/export": ("read the audit log",),
    "GET /api/v2/audit-events/{event_id}": ("read the audit log",),
    "GET /api/system/operations": ("operate the portal",),
    "POST /api/system/operations/jobs/{job_id}/retry": ("operate the portal",),
    "POST /api/system/operations/jobs/{job_id}/give-up": ("operate the portal",),
    "POST /api/system/legal/acceptances": ("accept the notice and the terms",),
    "POST /api/system/contacts/email": ("write to the lab",),
    "POST /api/system/supplies/email": ("ask the lab for supplies",),
    "GET /api/system/lab-settings/sending": ("read the settings of the lab",),
    "POST /api/system/lab-settings/test-sending": ("change the settings of the lab",),
    "GET /api/system/lab-settings": ("read the settings of the lab",),
    "GET /api/system/lab-settings/history": ("read the settings of the lab",),
    "PUT /api/system/lab-settings": ("change the settings of the lab",),
    **{
        f"GET /api/v2/lab-data{path}": ("read the data of the lab",)
        for path in (
            "",
            "/lookups/{lookup}",
            "/{kind}",
            "/{kind}/csv",
            "/{kind}/{row_id}",
            "/{kind}/{row_id}/history",
        )
    },
    **{
        f"{method} /api/v2/lab-data/{path}": ("change the data of the lab",)
        for method, path in (
            ("POST", "{kind}"),
            ("PUT", "{kind}/{row_id}"),
            ("POST", "{kind}/csv"),
            ("POST", "{kind}/csv/preview"),
        )
    },
    "POST /api/v2/autoverification/try-out": ("try limits of autoverification out",),
    "GET /api/v2/autoverification/rules/{test_id}": ("try limits of autoverification out",),
    "PUT /api/v2/autoverification/rules/{test_id}": ("change rules of autoverification",),
    "POST /api/v2/autoverification/rules/{test_id}/switch": (
        "change rules of autoverification",
        "switch a rule of autoverification on",
    ),
    **{
        f"{method} /api/v2/orders/{path}": ("search orders by any column",)
        for method, path in (
            ("GET", "advanced-search"),
            ("POST", "advanced-search"),
            ("GET", "advanced-search/columns"),
            ("GET", "saved-searches"),
            ("POST", "saved-searches"),
            ("PUT", "saved-searches/{saved_search_id}"),
            ("DELETE", "saved-searches/{saved_search_id}"),
        )
    },
    "POST /api/system/users": ("administer users",),
    "POST /api/system/users/patients/{patient_id}": ("administer users",),
    "POST /api/system/users/import": ("administer users",),
    "POST /api/system/users/import/preview": ("administer users",),
    "PUT /api/system/users/{account_id}": ("change a user",),
    "DELETE /api/system/users/{account_id}": ("delete a user",),
    "POST /api/system/users/{account_id}/notification": ("invite a user",),
    f"POST {_PATIENTS}": ("change a patient",),
    f"PUT {_PATIENTS}/{{patient_id}}": ("change a patient",),
    f"PUT {_PATIENTS}/client-physician": ("change a patient",),
    f"POST {_PATIENTS}/{{patient_id}}/save-billing-info": ("change a patient",),
    f"POST {_PATIENTS}/{{patient_id}}/save-diagnoses": ("change a patient",),
    f"POST {_PATIENTS}/{{patient_id}}/save-medications": ("change a patient",),
    f"POST {_PATIENTS}/{{patient_id}}/save-responsible-parties": ("change a patient",),
}
"""The rules of each route's act; each rule allows exactly the admitted roles in some state."""

ROUTES_WITHOUT_RULE = frozenset(
    {
        # Records of only this user.
        "DELETE /api/v2/favorite-panels/{favorite_id}",
        "POST /api/v2/favorite-panels",
        "PUT /api/v2/favorite-panels/{favorite_id}",
        "DELETE /api/v2/requisitions/drafts/{draft_id}",
        "DELETE /api/v2/result-exports/{export_id}",
        "POST /api/v2/result-exports/{export_id}/cancel",
        "POST /api/v2/result-exports/{export_id}/restore",
        "PUT /api/v2/requisitions/drafts/{draft_id}",
        "DELETE /auth/sessions",
        "DELETE /auth/sessions/{session_id}",
        "POST /auth/second-factor/confirm",
        "POST /auth/second-factor/recovery-codes",
        "POST /auth/second-factor/setup",
        "POST /auth/second-factor/turn-off",
        "POST /auth/user/change-password",
        "PUT /auth/user/{user_id}",
        # Reads sent by POST.
        "POST /api/v2/orders/{order_id}/microbiology-entry/{culture_test_id}/check",
        "POST /api/v2/patients/look-alikes",
        "POST /api/v2/patients/validate-ssn",
        "POST /api/v2/reports/order/cumulative-results",
        "POST /api/v2/reports/order/details",
        "POST /api/v2/reports/order/details/stream",
        "POST /api/v2/reports/order/log",
        "POST /api/v2/reports/order/log/stream",
        "POST /api/v2/reports/order/results",
        "POST /api/v2/reports/order/results/stream",
        "POST /api/v2/reports/requisition",
        "POST /api/v2/reports/requisition/log",
        "POST /api/v2/reports/requisition/log/stream",
        "POST /api/v2/reports/requisition/stream",
    }
)
"""Routes that write or look like writes, and for which only roles and scope decide."""


def find_deviating_routes(
    slices: Iterable[Manifest] = SLICES, cases: Sequence[Case] = CASES
) -> list[str]:
    """Return a line for each route without a rule, or with roles that its rule does not allow."""
    roles_by_rule = {case.name: _list_allowed_roles(case) for case in cases}
    lines = []
    names = set()
    for route in _list_routes(slices):
        name = f"{'/'.join(sorted(route.methods or ()))} {route.path}"
        names.add(name)
        rules = RULES_OF_ROUTES.get(name)
        roles = route.policy.roles
        if rules is None and roles is not None and _needs_rule(name):
            lines.append(f"{_get_path(route)}: {name} has no rule in tests/rules/routes.py")
        lines += [
            f"{_get_path(route)}: {name} admits {_format_roles(roles or set(Role))}, "
            f"but '{rule}' allows {_format_roles(roles_by_rule[rule])}"
            for rule in rules or ()
            if roles_by_rule[rule] != roles
        ]
    unknown_routes = (set(RULES_OF_ROUTES) | ROUTES_WITHOUT_RULE) - names
    return lines + [
        f"tests/rules/routes.py: there is no route {name}" for name in sorted(unknown_routes)
    ]


def _needs_rule(name: str) -> bool:
    return not name.startswith("GET ") and name not in ROUTES_WITHOUT_RULE


def _list_routes(slices: Iterable[Manifest]) -> Iterator[PortalRoute]:
    for slice_ in slices:
        for router in slice_.routers:
            yield from (route for route in router.routes if isinstance(route, PortalRoute))


def _list_allowed_roles(case: Case) -> frozenset[Role]:
    return frozenset(
        role
        for role in Role
        if any(case.find_error(role, state) is None for state in case.states.values())
    )


def _format_roles(roles: Iterable[Role]) -> str:
    return ", ".join(role for role in Role if role in set(roles))


def _get_path(route: PortalRoute) -> str:
    return str(Path(getfile(route.endpoint)).relative_to(Path(app.__path__[0]).parent))
