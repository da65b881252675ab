"""Errors of acts on rules of autoverification."""

from app.basics.errors import Conflict


class LimitsNotTried(Conflict):
    """409: exactly these limits have not been tried out on past results yet."""

    code = "limits_not_tried"


class LimitsOutdated(Conflict):
    """409: the limits are for another unit or method than the test has now."""

    code = "limits_outdated"


class RuleSwitched(Conflict):
    """409: the rule is already on, or off."""

    code = "rule_switched"


class TrialTooSlow(Conflict):
    """409: the try-out took too long; a shorter period is faster."""

    code = "trial_too_slow"
