"""The list of all slices of the portal."""

from app.server.access.manifest import MANIFEST as ACCESS
from app.server.accounts.manifest import MANIFEST as ACCOUNTS
from app.server.addresses.manifest import MANIFEST as ADDRESSES
from app.server.attachments.manifest import MANIFEST as ATTACHMENTS
from app.server.audit.manifest import MANIFEST as AUDIT
from app.server.audit_seals.manifest import MANIFEST as AUDIT_SEALS
from app.server.audit_viewer.manifest import MANIFEST as AUDIT_VIEWER
from app.server.billing.manifest import MANIFEST as BILLING
from app.server.catalog.manifest import MANIFEST as CATALOG
from app.server.changes.manifest import MANIFEST as CHANGES
from app.server.clients.manifest import MANIFEST as CLIENTS
from app.server.critical_alerts.manifest import MANIFEST as CRITICAL_ALERTS
from app.server.critical_results.manifest import MANIFEST as CRITICAL_RESULTS
from app.server.drafts.manifest import MANIFEST as DRAFTS
from app.server.exports.manifest import MANIFEST as EXPORTS
from app.server.favorite_panels.manifest import MANIFEST as FAVORITE_PANELS
from app.server.lab_data.manifest import MANIFEST as LAB_DATA
from app.server.lab_settings.manifest import MANIFEST as LAB_SETTINGS
from app.server.legal.manifest import MANIFEST as LEGAL
from app.server.operations.manifest import MANIFEST as OPERATIONS
from app.server.order_history.manifest import MANIFEST as ORDER_HISTORY
from app.server.order_search.manifest import MANIFEST as ORDER_SEARCH
from app.server.orders.manifest import MANIFEST as ORDERS
from app.server.paperwork.manifest import MANIFEST as PAPERWORK
from app.server.password_recovery.manifest import MANIFEST as PASSWORD_RECOVERY
from app.server.patient_timeline.manifest import MANIFEST as PATIENT_TIMELINE
from app.server.patients.manifest import MANIFEST as PATIENTS
from app.server.physicians.manifest import MANIFEST as PHYSICIANS
from app.server.requisitions.manifest import MANIFEST as REQUISITIONS
from app.server.results.automation.manifest import MANIFEST as RESULTS_AUTOMATION
from app.server.results.cancellations.manifest import MANIFEST as RESULTS_CANCELLATIONS
from app.server.results.clinical.manifest import MANIFEST as RESULTS_CLINICAL
from app.server.results.cumulative.manifest import MANIFEST as RESULTS_CUMULATIVE
from app.server.results.entry.manifest import MANIFEST as RESULTS_ENTRY
from app.server.results.exports.manifest import MANIFEST as RESULTS_EXPORTS
from app.server.results.microbiology.manifest import MANIFEST as RESULTS_MICROBIOLOGY
from app.server.results.pathology.manifest import MANIFEST as RESULTS_PATHOLOGY
from app.server.results.reflex.manifest import MANIFEST as RESULTS_REFLEX
from app.server.results.toxicology.manifest import MANIFEST as RESULTS_TOXICOLOGY
from app.server.results.worklist.manifest import MANIFEST as RESULTS_WORKLIST
from app.server.specimens.manifest import MANIFEST as SPECIMENS
from app.server.support.manifest import MANIFEST as SUPPORT
from app.server.transmissions.manifest import MANIFEST as TRANSMISSIONS
from app.server.users.manifest import MANIFEST as USERS
from app.server.waiting.manifest import MANIFEST as WAITING

SLICES = (
    ACCESS,
    AUDIT,
    ACCOUNTS,
    ADDRESSES,
    ATTACHMENTS,
    BILLING,
    CATALOG,
    CHANGES,
    EXPORTS,
    CLIENTS,
    LAB_SETTINGS,
    LEGAL,
    AUDIT_SEALS,
    PHYSICIANS,
    PATIENTS,
    FAVORITE_PANELS,
    DRAFTS,
    REQUISITIONS,
    ORDERS,
    SPECIMENS,
    CRITICAL_RESULTS,
    RESULTS_REFLEX,
    RESULTS_AUTOMATION,
    RESULTS_ENTRY,
    RESULTS_CLINICAL,
    RESULTS_TOXICOLOGY,
    RESULTS_PATHOLOGY,
    RESULTS_MICROBIOLOGY,
    RESULTS_CANCELLATIONS,
    RESULTS_CUMULATIVE,
    RESULTS_WORKLIST,
    RESULTS_EXPORTS,
    ORDER_SEARCH,
    PAPERWORK,
    PATIENT_TIMELINE,
    WAITING,
    TRANSMISSIONS,
    CRITICAL_ALERTS,
    PASSWORD_RECOVERY,
    ORDER_HISTORY,
    USERS,
    SUPPORT,
    LAB_DATA,
    AUDIT_VIEWER,
    OPERATIONS,
)
"""From the lowest tier up; requests match routes in this order."""
