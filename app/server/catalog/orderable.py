"""The rule ``rules.judge_ordering`` as SQL predicates.

``t`` is the table ``lab_tests``, ``%(clients)s`` the clients to order for. A test compares the rule
with the SQL for every kind of test, so that neither changes without the other.
"""

ORDERABLE = "t.orderable"
"""Orderable for any client."""
ORDERABLE_FOR_CLIENTS = (
    f"{ORDERABLE} AND (t.client_id IS NULL OR t.client_id = ANY(%(clients)s::bigint[]))"
)
"""Orderable for one of the clients by actors who may go beyond its list."""
ON_A_LIST = (
    "EXISTS (SELECT 1 FROM unnest(%(clients)s::bigint[]) AS client (id) "
    "WHERE t.client_id = client.id OR (t.client_id IS NULL AND (NOT EXISTS "
    "(SELECT 1 FROM client_tests l WHERE l.client_id = client.id) OR EXISTS "
    "(SELECT 1 FROM client_tests l WHERE l.client_id = client.id AND l.test_id = t.id))))"
)
"""The test is on the list of one of the clients."""
ORDERABLE_BY_LIST = f"{ORDERABLE} AND {ON_A_LIST}"
"""Orderable for one of the clients by actors who are bound to its list."""
