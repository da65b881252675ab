"""Acts on critical results that the interface judges by itself."""

from app.basics.errors import PortalError
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.critical_results import rules


def _judge_telling(actor: Actor) -> PortalError | None:
    return rules.judge_telling(actor, is_open=True)


ACTS = (
    Act("openCriticalResults", rules.judge_reading),
    Act("tellCriticalResult", _judge_telling),
)
