"""All kinds of data maintained by the lab, in the order of the screen; add new kinds here."""

from app.server.lab_data.kind import build_kind
from app.server.lab_data.kinds import microbiology, office, people, reflex, tests, toxicology

KINDS = {
    kind.key: build_kind(kind)
    for module in (people, tests, office, microbiology, toxicology, reflex)
    for kind in module.KINDS
}
