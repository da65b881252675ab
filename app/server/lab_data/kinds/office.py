"""Payers, supplies, reasons, and collection sites."""

from app.contract.enumerations import ReasonKind
from app.server.billing.models import BillType, Payer
from app.server.lab_data.kind import BENCH, DataKind, Field
from app.server.lab_data.kinds.fields import build_code, build_flag, build_name, build_position
from app.server.lab_settings.models import CollectionSite, Reason
from app.server.support.models import Supply, SupplyCategory

_BILLING, _SUPPLIES, _LISTS = "Billing", "Supplies", "Lists of the lab"
_REASONS = {kind.value.capitalize(): kind.value for kind in ReasonKind}

KINDS = (
    DataKind(
        key="payers",
        title="Payers",
        singular="Payer",
        group=_BILLING,
        model=Payer,
        fields=(
            build_name(upper=True),
            Field("bill_type_id", "Bill type", "lookup", required=True, lookup="bill-types"),
            build_flag("medicare_part_b", "Medicare Part B"),
        ),
        identity=("name",),
        parent="billType",
    ),
    DataKind(
        key="bill-types",
        title="Bill Types",
        singular="Bill Type",
        group=_BILLING,
        model=BillType,
        fields=(build_name(upper=True), build_position()),
        identity=("name",),
        children=("payers",),
    ),
    DataKind(
        key="supply-categories",
        title="Supply Categories",
        singular="Supply Category",
        group=_SUPPLIES,
        model=SupplyCategory,
        fields=(build_name(), build_position()),
        identity=("name",),
        children=("supplies",),
    ),
    DataKind(
        key="supplies",
        title="Supplies",
        singular="Supply",
        group=_SUPPLIES,
        model=Supply,
        fields=(
            build_code(),
            build_name(),
            Field("category_id", "Category", "lookup", required=True, lookup="supply-categories"),
            build_position(),
        ),
        identity=("code",),
        parent="category",
    ),
    DataKind(
        key="reasons",
        title="Reasons",
        singular="Reason",
        group=_LISTS,
        model=Reason,
        fields=(
            Field("kind", "For", "choice", required=True, choices=_REASONS, fixed=True),
            build_code(fixed=True),
            Field("words", "Words", required=True),
            build_position(),
        ),
        identity=("kind", "code"),
        editors=BENCH,
    ),
    DataKind(
        key="collection-sites",
        title="Collection Sites",
        singular="Collection Site",
        group=_LISTS,
        model=CollectionSite,
        fields=(Field("name", "Name", required=True, fixed=True), build_position()),
        identity=("name",),
        editors=BENCH,
    ),
)
