"""The demo lab, built once."""

import pytest

from seeds.demo import DemoLab, build_demo_lab
from tests.seeds.demo import AS_OF


@pytest.fixture(scope="session")
def lab() -> DemoLab:
    """The demo lab as it is on ``AS_OF``."""
    return build_demo_lab(AS_OF)
