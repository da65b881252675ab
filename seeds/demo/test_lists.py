"""The demo clients' test lists, and the demo nurse's favorite panels."""

from collections.abc import Iterable

from seeds.demo.records import DemoFavorite, DemoTestCode, DemoTestList
from seeds.reference import list_lab_tests

_TRANSPLANTS = ("FK506", "CSA", "SIRO")
_RARE = ("ACTH", "ALDO", "GH", "IGF1", "OHP17", "FVL", "F8", "PROTC", "ATIII", "CERU", "SE", "ZN")
_TUMORS = ("CEA", "CA125", "CA199", "CA153", "AFP")
_FERTILITY = ("FERTF", "AMH", "E2", "FSH", "LH", "PROG", "SHBG")

# Client -> tests that are not on its list. Other clients have no list and may order everything.
_EXCLUDED_TESTS = {
    "C001": (*_TRANSPLANTS, *_RARE, *_TUMORS, *_FERTILITY),
    "C002": (*_TRANSPLANTS, *_RARE, *_FERTILITY),
    "C003": (*_TRANSPLANTS, *_FERTILITY),
    "C004": (*_TRANSPLANTS, *_RARE),
    "C005": (*_TRANSPLANTS, *_RARE, *_TUMORS, *_FERTILITY),
}
TEST_CODES = (
    DemoTestCode("C001", "SUGAR", "GLU"),
    DemoTestCode("C001", "CHEM7", "RENAL"),
    DemoTestCode("C002", "SUGAR", "A1C"),
)
"""Clients' own codes. CHEM7 is also a former code of another test: C001 finds two tests by it."""
_NURSE = "clientbasic@demo.lab"


def build_test_lists() -> Iterable[DemoTestList]:
    """Build the clients' lists: all orderable tests except those of a few specialties."""
    orderable = [test.code for test in list_lab_tests() if test.orderable]
    for client_code, excluded in _EXCLUDED_TESTS.items():
        codes = tuple(code for code in orderable if code not in excluded)
        yield DemoTestList(client_code, codes)


def build_favorites() -> Iterable[DemoFavorite]:
    """Build two favorite panels of the demo nurse as examples."""
    yield DemoFavorite(_NURSE, "ANNUAL PHYSICAL", ("CBCD", "CMP", "LIPID", "TSH"))
    yield DemoFavorite(_NURSE, "DIABETES FOLLOW-UP", ("A1CP", "BMP", "MALBP", "LIPID"))
