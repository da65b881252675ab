"""What makes a physician valid; no session, no clock, no request."""

_ISSUER = "80840"


def npi_is_valid(npi: str) -> bool:
    """Ten digits of which the last is the check digit: Luhn over 80840 and the NPI.

    Asked where physicians are stored, never of what somebody searches for (DECISIONS, Ordering).
    """
    if not (len(npi) == 10 and npi.isascii() and npi.isdigit()):
        return False
    places = enumerate(reversed(_ISSUER + npi))
    values = [int(digit) * (1 + place % 2) for place, digit in places]
    return sum(value - 9 if value > 9 else value for value in values) % 10 == 0
