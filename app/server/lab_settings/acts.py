"""Permissions about settings that the interface evaluates, as if all entry flags were on."""

from app.server.access.acts import Act
from app.server.lab_settings import rules

_ALL_ON = dict.fromkeys(rules.RESULT_ENTRY_OFF, True)
ACTS = (
    Act("openResultEntry", lambda actor: rules.judge_result_screen(actor, _ALL_ON)),
    Act("openLabSettings", rules.judge_reading_settings),
    Act("changeLabSettings", rules.judge_changing_settings),
)
