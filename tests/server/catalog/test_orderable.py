"""The rule for ordering tests agrees with its SQL predicates about every kind of test."""

from itertools import product

import pytest

from app.contract.enumerations import Role
from app.server.actor import Actor, get_scope_kind
from app.server.catalog.orderable import (
    ON_A_LIST,
    ORDERABLE,
    ORDERABLE_BY_LIST,
    ORDERABLE_FOR_CLIENTS,
)
from app.server.catalog.rules import TestOffer, is_bound_to_list, judge_ordering
from tests.server.world import World

OWNERS = ("nobody", "this client", "another client")


def add_test(world: World, owner: int | None, *, orderable: bool) -> str:
    """Add a test, and return its code."""
    code = world.add_private_test(owner or world.create_client())
    world.run_sql(
        "UPDATE lab_tests SET client_id = %s, orderable = %s WHERE code = %s",
        (owner, orderable, code),
    )
    return code


@pytest.mark.parametrize("has_list", [False, True], ids=["without a list", "with a list"])
def test_rule_and_sql_agree(world: World, has_list: bool) -> None:
    client, other = world.create_client(), world.create_client()
    owners = dict(zip(OWNERS, (None, client, other), strict=True))
    if has_list:
        world.put_on_client_list(client, "GLU")
    for owner, orderable, is_listed in product(OWNERS, (True, False), (True, False)):
        if is_listed and not has_list:
            continue
        code = add_test(world, owners[owner], orderable=orderable)
        if is_listed:
            world.put_on_client_list(client, code)
        is_outside = has_list and not is_listed and owner != "this client"
        offer = TestOffer(code, orderable, owners[owner], is_outside)
        [(is_orderable, for_clients, by_list, on_list)] = world.fetch_rows(
            f"SELECT {ORDERABLE}, {ORDERABLE_FOR_CLIENTS}, {ORDERABLE_BY_LIST}, {ON_A_LIST}"
            " FROM lab_tests t WHERE t.code = %(code)s",
            {"clients": [client], "code": code},
        )
        case = (owner, orderable, is_listed)
        assert is_orderable is orderable, case
        assert on_list is (not is_outside and owner != "another client"), case
        for role in Role:
            actor = Actor(get_scope_kind(role), role=role)
            is_allowed = judge_ordering(actor, client, offer) is None
            expected = by_list if is_bound_to_list(actor) else for_clients
            assert is_allowed is expected, (role, case)
