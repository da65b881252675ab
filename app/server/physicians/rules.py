"""Rules for physicians."""

_ISSUER = "80840"


def is_valid_npi(npi: str) -> bool:
    """Whether an NPI has ten digits and a correct check digit (Luhn over 80840 and the NPI).

    Applies when physicians are stored, not to searches (DECISIONS, Ordering).
    """
    if not (len(npi) == 10 and npi.isascii() and npi.isdigit()):
        return False
    positions = enumerate(reversed(_ISSUER + npi))
    values = [int(digit) * (1 + position % 2) for position, digit in positions]
    return sum(value - 9 if value > 9 else value for value in values) % 10 == 0
