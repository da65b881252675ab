"""What ``rules.judge_ordering`` decides of one test, as SQL over many.

The table ``lab_tests`` is ``t``; ``%(clients)s`` are the clients that tests are looked for. A test
asks rule and SQL about every kind of test, so that neither changes alone.
"""

ORDERABLE = "t.orderable"
"""Whoever for."""
ORDERABLE_FOR_CLIENTS = (
    f"{ORDERABLE} AND (t.client_id IS NULL OR t.client_id = ANY(%(clients)s::bigint[]))"
)
"""For one of the clients, by who may go beyond their lists; nobody orders another client's test."""
ON_A_LIST = (
    "EXISTS (SELECT 1 FROM unnest(%(clients)s::bigint[]) AS wanted (id) "
    "WHERE t.client_id = wanted.id OR (t.client_id IS NULL AND (NOT EXISTS "
    "(SELECT 1 FROM client_tests l WHERE l.client_id = wanted.id) OR EXISTS "
    "(SELECT 1 FROM client_tests l WHERE l.client_id = wanted.id AND l.test_id = t.id))))"
)
"""Whether the test is on the own list of one of the clients."""
ORDERABLE_BY_LIST = f"{ORDERABLE} AND {ON_A_LIST}"
"""For one of the clients, by who is bound to their lists."""
