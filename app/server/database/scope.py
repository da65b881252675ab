"""Scope declarations: who sees which rows of a table, declared once on it (``__scope__``).

The predicates of repositories and lists and the row-level security policies all derive from the
declaration; ``tests/server/database/test_policies.py`` compares the database with it. A
declaration names, for each kind of scope, the column that must be among the actor's ids. A kind
that is not named sees nothing. See ``docs/adr/0002-scope-and-row-level-security.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.contract.enumerations import ScopeKind

ACTOR_IDS = "(SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]"
"""The actor's client, physician or patient ids, evaluated once per statement.

The outer cast makes ``= ANY(...)`` take an array instead of a set of rows.
"""

ACTOR_USER = "(SELECT nullif(current_setting('app.user', true), '')::uuid)"
"""The actor's user id, evaluated once per statement."""

ACTOR_USER_NOW = "nullif(current_setting('app.user', true), '')::uuid"
"""The actor's user id in a trigger's condition, which cannot have a subquery."""

ENTERING_RESULTS = "(SELECT current_setting('app.act', true)) = 'enter-results'"
"""Whether the transaction has declared that it enters results, evaluated once per statement.

Client users see and write unreleased results only in such a transaction, and only if the lab allows
them to enter results.
"""

ENTER_RESULTS = "SELECT set_config('app.act', 'enter-results', true)"
"""Declares that the transaction enters results."""

IS_ADMINISTRATOR = "(SELECT is_user_administrator())"
"""Whether the actor administers users, evaluated once per statement."""

SIGNED_IN = (ScopeKind.STAFF, ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT)
DATABASE_ROLES = tuple(f"as_{kind}" for kind in ScopeKind)


@dataclass(frozen=True)
class Rule:
    """The privileges of one database role on a table, and the rows they apply to."""

    privileges: str  # of S(elect) I(nsert) U(pdate) D(elete)
    rows: str = "true"
    writes: str | None = None  # the rows that may be written, if other than ``rows``
    inserts: str | None = None  # the rows that may be inserted, if other than ``writes``
    deletes: str | None = None  # the rows that may be deleted, if other than ``rows``


class Scope(Protocol):
    """A scope declaration."""

    def build_rules(self, table: str) -> dict[str, Rule]:
        """Return the rules for the table of this name, by database role."""
        ...


@dataclass(frozen=True)
class Rows:
    """The scope of a root table: the column that must be among the actor's ids.

    Attributes:
        client, physician, patient: the column for this kind of scope, or an SQL condition with
            ``{ids}`` and with ``{t}`` before its columns.
        staff_may, client_may, ...: the privileges, of S(elect) I(nsert) U(pdate) D(elete). The
            worker has the privileges of staff unless ``worker_may`` is set.
        restriction: an additional condition for everyone but staff and the worker.
        client_writes: an additional condition on the rows that client users write.
    """

    client: str | None = None
    physician: str | None = None
    patient: str | None = None
    staff_may: str = "SIU"
    client_may: str = "SIU"
    physician_may: str = "S"
    patient_may: str = "S"
    restriction: str = field(default="")
    worker_may: str | None = None
    client_writes: str = ""

    def get_column(self, kind: ScopeKind) -> str | None:
        """Return the declared column or condition for a kind of scope."""
        return {
            ScopeKind.CLIENT: self.client,
            ScopeKind.PHYSICIAN: self.physician,
            ScopeKind.PATIENT: self.patient,
        }.get(kind)

    def build_condition(self, kind: ScopeKind, ids: str, alias: str = "") -> str | None:
        """Return the SQL condition of a kind of scope for the array ``ids``; None for no rows."""
        column = self.get_column(kind)
        if column is None:
            return None
        if "{ids}" in column:
            return column.format(ids=ids, t=f"{alias}." if alias else "")
        return f"{alias + '.' if alias else ''}{column} = ANY({ids})"

    def build_predicate(self, kind: ScopeKind, alias: str = "") -> str:
        """Return the SQL condition that confines a statement to the actor's ids, ``%(ids)s``."""
        if kind in (ScopeKind.STAFF, ScopeKind.WORKER):
            return "true"
        return self.build_condition(kind, "%(ids)s::bigint[]", alias) or "false"

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        rules = {
            f"as_{ScopeKind.STAFF}": Rule(self.staff_may),
            f"as_{ScopeKind.WORKER}": Rule(self.worker_may or self.staff_may),
        }
        for kind, privileges in (
            (ScopeKind.CLIENT, self.client_may),
            (ScopeKind.PHYSICIAN, self.physician_may),
            (ScopeKind.PATIENT, self.patient_may),
        ):
            condition = self.build_condition(kind, ACTOR_IDS)
            if condition and privileges:
                rows = f"({condition}) AND ({self.restriction})" if self.restriction else condition
                is_narrowed = kind is ScopeKind.CLIENT and self.client_writes
                writes = f"({rows}) AND {self.client_writes}" if is_narrowed else None
                rules[f"as_{kind}"] = Rule(privileges, rows, writes)
        return rules


@dataclass(frozen=True)
class AdministeredRows(Rows):
    """The scope of rows that only administrators of users read.

    Client users among them read only the rows within ``client``. Functions with the owner's rights
    write the rows.
    """

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        condition = self.build_condition(ScopeKind.CLIENT, ACTOR_IDS)
        return {
            f"as_{ScopeKind.STAFF}": Rule("S", IS_ADMINISTRATOR),
            f"as_{ScopeKind.CLIENT}": Rule("S", f"{IS_ADMINISTRATOR} AND {condition}"),
        }


@dataclass(frozen=True)
class Through:
    """The scope of a child table: its rows are visible with the parent's row.

    Attributes:
        restriction: an additional condition on the rows that everyone but staff sees.
        client_restriction: replaces ``restriction`` for client users.
        client_writes: an additional condition on the rows that client users write.
        inserts: an additional condition on the rows that anybody inserts.
        inserts_under, deletes_under: the condition on the parent's row ``p`` for inserts and for
            deletes by anybody.
    """

    parent: str
    column: str
    staff_may: str = "SIUD"
    client_may: str = "SIUD"
    physician_may: str = "S"
    patient_may: str = "S"
    restriction: str = ""
    client_restriction: str = ""
    client_writes: str = ""
    inserts: str = ""
    inserts_under: str = ""
    deletes_under: str = ""

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        with_parent = self._find_parent(table)
        condition = f"({self.restriction}) AND {with_parent}" if self.restriction else with_parent
        client_rows = condition
        if self.client_restriction:
            client_rows = f"({self.client_restriction}) AND {with_parent}"
        writes = f"{self.client_writes} AND {with_parent}" if self.client_writes else None
        rules = {
            f"as_{ScopeKind.STAFF}": Rule(self.staff_may),
            f"as_{ScopeKind.WORKER}": Rule(self.staff_may),
            f"as_{ScopeKind.CLIENT}": Rule(self.client_may, client_rows, writes),
            f"as_{ScopeKind.PHYSICIAN}": Rule(self.physician_may, condition),
            f"as_{ScopeKind.PATIENT}": Rule(self.patient_may, condition),
        }
        return {
            role: self._narrow_writes(table, rule)
            for role, rule in rules.items()
            if rule.privileges
        }

    def _find_parent(self, table: str, condition: str = "") -> str:
        narrower = f" AND {condition}" if condition else ""
        return (
            f"EXISTS (SELECT 1 FROM {self.parent} p WHERE p.id = {table}.{self.column}{narrower})"
        )

    def _narrow_writes(self, table: str, rule: Rule) -> Rule:
        if self.inserts:
            rule = replace(rule, inserts=f"({self.inserts}) AND ({rule.writes or rule.rows})")
        if self.inserts_under:
            rule = replace(rule, inserts=self._find_parent(table, self.inserts_under))
        if self.deletes_under:
            rule = replace(rule, deletes=self._find_parent(table, self.deletes_under))
        return rule


@dataclass(frozen=True)
class ThroughAny:
    """The scope of a record about several others, which the table ``link`` lists.

    It is visible to its author and to everybody who sees one of those records. Nobody can write it
    in another user's name.
    """

    link: str
    column: str
    author: str
    worker_may: str = "SU"

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        own = f"{self.author} = {ACTOR_USER}"
        linked_rows = f"SELECT 1 FROM {self.link} l WHERE l.{self.column} = {table}.id"
        rules = {f"as_{k}": Rule("SI", f"{own} OR EXISTS ({linked_rows})", own) for k in SIGNED_IN}
        rules[f"as_{ScopeKind.STAFF}"] = Rule("SI", writes=own)
        rules[f"as_{ScopeKind.WORKER}"] = Rule(self.worker_may)
        return rules


@dataclass(frozen=True)
class Reference:
    """The scope of reference data: every signed-in user reads it, staff maintains it.

    Attributes:
        anonymous: whether everybody reads it, even without signing in.
        gatekeeper: whether sign-in reads it.
        staff_may: the privileges of staff, of S(elect) I(nsert) U(pdate) D(elete).
    """

    anonymous: bool = False
    gatekeeper: bool = False
    staff_may: str = "SIU"

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        rules = {f"as_{kind}": Rule("S") for kind in SIGNED_IN}
        rules[f"as_{ScopeKind.STAFF}"] = Rule(self.staff_may)
        rules[f"as_{ScopeKind.WORKER}"] = Rule("SIU")
        if self.anonymous:
            rules[f"as_{ScopeKind.ANONYMOUS}"] = Rule("S")
        if self.gatekeeper:
            rules[f"as_{ScopeKind.GATEKEEPER}"] = Rule("S")
        return rules


@dataclass(frozen=True)
class SharedReference:
    """The scope of reference data with some rows that belong to one client, by ``client_id``.

    A client's rows are visible to that client, and to others where the SQL condition ``otherwise``
    is true.
    """

    otherwise: str

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        rules = Reference().build_rules(table)
        shared_rows = f"client_id IS NULL OR {{own}}({self.otherwise})"
        own = f"client_id = ANY({ACTOR_IDS}) OR "
        rules[f"as_{ScopeKind.CLIENT}"] = Rule("S", shared_rows.format(own=own))
        for kind in (ScopeKind.PHYSICIAN, ScopeKind.PATIENT):
            rules[f"as_{kind}"] = Rule("S", shared_rows.format(own=""))
        return rules


@dataclass(frozen=True)
class OwnRows:
    """The scope of rows that belong to one user.

    Attributes:
        restriction: a condition that narrows them further.
        worker_may: the privileges of the worker on all rows.
    """

    column: str = "user_id"
    may: str = "SIU"
    restriction: str = ""
    worker_may: str = ""

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        own = f"{self.column} = {ACTOR_USER}"
        if self.restriction:
            own = f"{own} AND ({self.restriction})"
        rules = {f"as_{kind}": Rule(self.may, own) for kind in SIGNED_IN}
        if self.worker_may:
            rules[f"as_{ScopeKind.WORKER}"] = Rule(self.worker_may)
        return rules


@dataclass(frozen=True)
class InsertOnly:
    """The scope of an insert-only table: everyone writes, staff reads, nobody changes a row.

    The worker reads all rows.

    Attributes:
        author: the column that names the actor.
        gatekeeper_kind: the kind of rows that sign-in may write. Sign-in has no actor yet, so its
            rows name the account.
        history: the rows that others may read too, as kind and action by the record's table. Such a
            row names one record, and is visible with it.
    """

    author: str
    gatekeeper_kind: str
    history: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        rules = {f"as_{kind}": Rule("I", self._build_check(kind)) for kind in ScopeKind}
        condition = " OR ".join(
            f"(kind = '{kind}' AND action = '{action}' AND EXISTS "
            f"(SELECT 1 FROM {parent} p WHERE p.id = {table}.record_ids[1]))"
            for parent, (kind, action) in self.history.items()
        )
        if condition:
            for kind in (ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT):
                rules[f"as_{kind}"] = Rule("SI", condition, writes=self._build_check(kind))
        for kind in (ScopeKind.STAFF, ScopeKind.WORKER):
            rules[f"as_{kind}"] = Rule("SI", writes=self._build_check(kind))
        return rules

    def _build_check(self, kind: ScopeKind) -> str:
        if kind is ScopeKind.GATEKEEPER:
            return f"kind = '{self.gatekeeper_kind}'"
        return f"{self.author} IS NOT DISTINCT FROM {ACTOR_USER}"


@dataclass(frozen=True)
class SealedRows:
    """The scope of a table that only functions with its owner's rights write."""

    worker_may: str

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        return {f"as_{ScopeKind.WORKER}": Rule(self.worker_may)}


@dataclass(frozen=True)
class Accounts:
    """The scope of sign-in tables: the gatekeeper has all rows, users have their own."""

    own_column: str | None = None
    own_may: str = "S"
    gatekeeper_may: str = "SIUD"

    def build_rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        rules = {f"as_{ScopeKind.GATEKEEPER}": Rule(self.gatekeeper_may)}
        if self.own_column:
            for kind in SIGNED_IN:
                rules[f"as_{kind}"] = Rule(self.own_may, f"{self.own_column} = {ACTOR_USER}")
        return rules
