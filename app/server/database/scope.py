"""Who sees which rows of a table, declared once on the table (``__scope__``).

From one declaration come the repository's predicate, the list's predicate and the row-level
security policies; ``tests/server/database/test_policies.py`` holds the database against it.
A declaration names, for each kind of scope, the column that must be among the actor's ids; a
kind that is not named sees nothing. See ``docs/adr/0002-scope-and-row-level-security.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from app.contract.enumerations import ScopeKind

ACTOR_IDS = "(SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]"
"""The actor's client, physician or patient ids, evaluated once a statement. The outer cast does
nothing but make ``= ANY(...)`` take an array instead of a set of rows."""

ACTOR_USER = "(SELECT nullif(current_setting('app.user', true), '')::uuid)"
"""The actor's user id, evaluated once a statement."""

ENTERING_RESULTS = "(SELECT current_setting('app.act', true)) = 'enter-results'"
"""Whether the transaction has declared that it enters results, evaluated once a statement. In it
alone a client's people see and write unreleased results, where the lab lets them enter any."""

ENTER_RESULTS = "SELECT set_config('app.act', 'enter-results', true)"
"""Declares that the transaction enters results."""

SIGNED_IN = (ScopeKind.STAFF, ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT)
DATABASE_ROLES = tuple(f"as_{kind}" for kind in ScopeKind)


@dataclass(frozen=True)
class Rule:
    """What one database role may do on a table: the privileges and the rows."""

    privileges: str  # of S(elect) I(nsert) U(pdate) D(elete)
    rows: str = "true"
    writes: str | None = None  # the rows that may be written, where these are others than ``rows``


class Scope(Protocol):
    """A declaration; ``rules`` answers what each database role may do."""

    def rules(self, table: str) -> dict[str, Rule]:
        """Database role -> rule, for the table of this name."""
        ...


@dataclass(frozen=True)
class Rows:
    """A root table: the column that must be among the actor's ids, by kind of scope.

    A value may also be an SQL condition holding ``{ids}``, its columns led by ``{t}``. ``..._may``:
    the privileges of each kind, of S(elect) I(nsert) U(pdate) D(elete); the worker's are staff's
    where nothing else is said. ``client_writes`` narrows the rows that a client's people write.
    """

    client: str | None = None
    physician: str | None = None
    patient: str | None = None
    staff_may: str = "SIU"
    client_may: str = "SIU"
    physician_may: str = "S"
    patient_may: str = "S"
    besides: str = field(default="")
    worker_may: str | None = None
    client_writes: str = ""

    def column(self, kind: ScopeKind) -> str | None:
        """The declared column or condition of ``kind``."""
        return {
            ScopeKind.CLIENT: self.client,
            ScopeKind.PHYSICIAN: self.physician,
            ScopeKind.PATIENT: self.patient,
        }.get(kind)

    def condition(self, kind: ScopeKind, ids: str, alias: str = "") -> str | None:
        """The SQL condition of ``kind`` with ``ids`` as the array; None where nothing is seen."""
        declared = self.column(kind)
        if declared is None:
            return None
        if "{ids}" in declared:
            return declared.format(ids=ids, t=f"{alias}." if alias else "")
        return f"{alias + '.' if alias else ''}{declared} = ANY({ids})"

    def predicate(self, kind: ScopeKind, alias: str = "") -> str:
        """The SQL condition that confines a statement to the actor, whose ids are ``%(ids)s``."""
        if kind in (ScopeKind.STAFF, ScopeKind.WORKER):
            return "true"
        return self.condition(kind, "%(ids)s::bigint[]", alias) or "false"

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        found = {
            f"as_{ScopeKind.STAFF}": Rule(self.staff_may),
            f"as_{ScopeKind.WORKER}": Rule(self.worker_may or self.staff_may),
        }
        for kind, may in (
            (ScopeKind.CLIENT, self.client_may),
            (ScopeKind.PHYSICIAN, self.physician_may),
            (ScopeKind.PATIENT, self.patient_may),
        ):
            condition = self.condition(kind, ACTOR_IDS)
            if condition and may:
                rows = f"({condition}) AND ({self.besides})" if self.besides else condition
                narrowed = kind is ScopeKind.CLIENT and self.client_writes
                writes = f"({rows}) AND {self.client_writes}" if narrowed else None
                found[f"as_{kind}"] = Rule(may, rows, writes)
        return found


@dataclass(frozen=True)
class Through:
    """A child table: its rows are seen with the parent's row (whose own policy decides).

    ``besides`` narrows the rows that others than staff see; ``client_besides`` takes its place
    for a client's people, and ``client_writes`` narrows what these write.
    """

    parent: str
    column: str
    staff_may: str = "SIUD"
    client_may: str = "SIUD"
    physician_may: str = "S"
    patient_may: str = "S"
    besides: str = ""
    client_besides: str = ""
    client_writes: str = ""

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        with_parent = f"EXISTS (SELECT 1 FROM {self.parent} p WHERE p.id = {table}.{self.column})"
        seen = f"({self.besides}) AND {with_parent}" if self.besides else with_parent
        by_client = f"({self.client_besides}) AND {with_parent}" if self.client_besides else seen
        writes = f"{self.client_writes} AND {with_parent}" if self.client_writes else None
        return {
            f"as_{ScopeKind.STAFF}": Rule(self.staff_may),
            f"as_{ScopeKind.WORKER}": Rule(self.staff_may),
            f"as_{ScopeKind.CLIENT}": Rule(self.client_may, by_client, writes),
            f"as_{ScopeKind.PHYSICIAN}": Rule(self.physician_may, seen),
            f"as_{ScopeKind.PATIENT}": Rule(self.patient_may, seen),
        }


@dataclass(frozen=True)
class ThroughAny:
    """A record about several others, which ``link`` names row by row: whoever sees one of those
    sees it, and so does the one who made it; nobody writes one in another's name."""

    link: str
    column: str
    author: str
    worker_may: str = "SU"

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        own = f"{self.author} = {ACTOR_USER}"
        linked = f"SELECT 1 FROM {self.link} l WHERE l.{self.column} = {table}.id"
        found = {f"as_{k}": Rule("SI", f"{own} OR EXISTS ({linked})", own) for k in SIGNED_IN}
        found[f"as_{ScopeKind.STAFF}"] = Rule("SI", writes=own)
        found[f"as_{ScopeKind.WORKER}"] = Rule(self.worker_may)
        return found


@dataclass(frozen=True)
class Reference:
    """Data that is nobody's: everyone signed in reads it, staff maintains it."""

    anonymous: bool = False

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        found = {f"as_{kind}": Rule("S") for kind in SIGNED_IN}
        found[f"as_{ScopeKind.STAFF}"] = Rule("SIU")
        found[f"as_{ScopeKind.WORKER}"] = Rule("SIU")
        if self.anonymous:
            found[f"as_{ScopeKind.ANONYMOUS}"] = Rule("S")
        return found


@dataclass(frozen=True)
class OwnRows:
    """Rows that belong to one user, whatever the role; ``besides`` narrows them further.

    ``worker_may``: what background work may do with everybody's rows.
    """

    column: str = "user_id"
    may: str = "SIU"
    besides: str = ""
    worker_may: str = ""

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        own = f"{self.column} = {ACTOR_USER}"
        if self.besides:
            own = f"{own} AND ({self.besides})"
        found = {f"as_{kind}": Rule(self.may, own) for kind in SIGNED_IN}
        if self.worker_may:
            found[f"as_{ScopeKind.WORKER}"] = Rule(self.worker_may)
        return found


@dataclass(frozen=True)
class Journal:
    """An insert-only table: everyone writes what they did, staff reads, nobody changes.

    ``history`` names acts that others may read too: by the table of the record that was acted
    on, the entry's kind and action. Such an entry names one record, and is seen with it.
    """

    history: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        found = {f"as_{kind}": Rule("I") for kind in ScopeKind}
        seen = " OR ".join(
            f"(kind = '{kind}' AND action = '{action}' AND EXISTS "
            f"(SELECT 1 FROM {parent} p WHERE p.id = {table}.record_ids[1]))"
            for parent, (kind, action) in self.history.items()
        )
        if seen:
            for kind in (ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT):
                found[f"as_{kind}"] = Rule("SI", seen, writes="true")
        found[f"as_{ScopeKind.STAFF}"] = Rule("SI")
        return found


@dataclass(frozen=True)
class Accounts:
    """Tables of sign-in and sessions: the gatekeeper alone, and a person's own row."""

    own_column: str | None = None

    def rules(self, table: str) -> dict[str, Rule]:
        """See ``Scope``."""
        found = {f"as_{ScopeKind.GATEKEEPER}": Rule("SIUD")}
        if self.own_column:
            for kind in SIGNED_IN:
                found[f"as_{kind}"] = Rule("SU", f"{self.own_column} = {ACTOR_USER}")
        return found
