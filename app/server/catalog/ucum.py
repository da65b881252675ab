"""UCUM codes of units, as results show them.

The portal shows units as labs print them. Many of these are UCUM codes; a few of the others have a
code here. See ``seeds/reference/UCUM-NOTICE.md``.
"""

_SAME = frozenset(
    {
        "%",
        "10*3/uL",
        "10*6/uL",
        "U/L",
        "U/mL",
        "fL",
        "g/dL",
        "g/L",
        "mL",
        "mL/min",
        "mg/L",
        "mg/dL",
        "mg/g",
        "mm/h",
        "mmol/L",
        "ng/dL",
        "ng/mL",
        "nmol/L",
        "pg",
        "pg/mL",
        "pmol/L",
        "s",
        "ug/L",
        "ug/dL",
        "ug/g",
        "ug/mL",
        "umol/L",
    }
)
"""Units that are their own UCUM code."""
_OTHER = {
    "/HPF": "/[HPF]",
    "IU/L": "[IU]/L",
    "IU/mL": "[IU]/mL",
    "copies/mL": "{copies}/mL",
    "index": "{index}",
    "mIU/L": "m[IU]/L",
    "mIU/mL": "m[IU]/mL",
    "mL/min/1.73 m2": "mL/min/{1.73_m2}",
    "mOsm/kg": "mosm/kg",
    "mg/24 h": "mg/(24.h)",
    "ratio": "{ratio}",
    "uIU/mL": "u[IU]/mL",
    "ug/mL FEU": "ug/mL{FEU}",
}


def find_ucum(unit: str | None) -> str | None:
    """Return the UCUM code of a unit, or None if the portal knows none."""
    if unit is None:
        return None
    return unit if unit in _SAME else _OTHER.get(unit)
