"""One PostgreSQL cluster per run, and a clone of a migrated template per worker."""

import functools
import gc
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from psycopg import sql

from app.server.database.embedded import EmbeddedPostgres
from app.server.open_database import store_default_time_zone
from app.server.schema.migrate import migrate_database
from app.server.settings import Settings
from tests.server.reference import load_reference

_OWNER_PASSWORD = "owner-of-the-tests"
_APP_PASSWORD = "application-of-the-tests"
_TEMPLATE = "portal_template"
# Each run has its own root of temporary folders. Another run of the same user would make a shared
# one private, and lock out the user of the databases in it.
_temporary_root = pytest.StashKey[Path]()
_cluster = pytest.StashKey[tuple[EmbeddedPostgres, Path]]()
_url = pytest.StashKey[str]()

# Loading the certificate authorities takes 40 ms for each HTTP client, most of which need none.
httpx._transports.default.create_ssl_context = functools.cache(  # type: ignore[attr-defined]
    httpx.create_ssl_context
)

# Hypothesis fails an example that takes longer than 200 ms, which a busy machine may need.
settings.register_profile("portal", deadline=None)
settings.load_profile("portal")
# A long search for counterexamples: `pytest tests/rules --hypothesis-profile=thorough`.
settings.register_profile("thorough", max_examples=5_000, deadline=None)
# Mutation runs repeat the same tests in one process and must always get the same result.
settings.register_profile(
    "mutation",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow],
    # Any counterexample will do; looking for the smallest takes minutes.
    phases=[Phase.explicit, Phase.generate],
)


def pytest_configure(config: pytest.Config) -> None:
    """In a worker, get the cluster's URL from the controller; else make the temporary root."""
    # Modules and tests stay until the end. Looking for garbage among them takes a fifth of the time
    # of collecting them, and some of the time of each test.
    gc.disable()
    if hasattr(config, "workerinput"):
        config.stash[_url] = config.workerinput["cluster_url"]
        return
    root = Path(tempfile.mkdtemp(prefix="portal-run-"))
    root.chmod(0o755)
    config.stash[_temporary_root] = root
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(root)


def _get_cluster_url(config: pytest.Config) -> str:
    """Return the cluster's URL without a database, and start the cluster on first use."""
    if _url in config.stash:
        return config.stash[_url]
    folder = Path(tempfile.mkdtemp(prefix="portal-tests-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, _OWNER_PASSWORD)
    cluster.start()
    config.stash[_cluster] = (cluster, folder)
    base = cluster.url.rsplit("/", 1)[0]
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        # An interrupted run is repeated, so no commit needs to reach the disk.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"CREATE DATABASE {_TEMPLATE}")
    migrate_database(f"{base}/{_TEMPLATE}", _APP_PASSWORD)
    store_default_time_zone(f"{base}/{_TEMPLATE}", Settings.model_fields["time_zone"].default)
    load_reference(f"{base}/{_TEMPLATE}")
    config.stash[_url] = base
    return base


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Stop a run that would not keep the tests of a group on one worker.

    Some versions of pytest and xdist ignore the groups silently. Tests that kill processes would
    then run at the same time, and each worker would load the demo lab.
    """
    if getattr(config.option, "loadgroup", False):
        for item in items:
            if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
                raise pytest.UsageError(f"xdist ignores the group of {item.nodeid}")


def pytest_collection_finish() -> None:
    """Leave modules and tests out of later garbage collections."""
    gc.freeze()
    gc.enable()


def pytest_configure_node(node) -> None:
    """Pass the cluster's URL to each worker."""
    node.workerinput["cluster_url"] = _get_cluster_url(node.config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the cluster and remove the temporary folders in the process that made them."""
    if _cluster in config.stash:
        cluster, folder = config.stash[_cluster]
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if _temporary_root in config.stash:
        shutil.rmtree(config.stash[_temporary_root], ignore_errors=True)


@pytest.fixture(scope="session")
def cluster_url(pytestconfig: pytest.Config) -> str:
    """``postgresql://owner@host:port`` without a database."""
    return _get_cluster_url(pytestconfig)


@pytest.fixture(scope="session")
def owner_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """This worker's own database, as its owner."""
    name = f"portal_{worker_id}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(_TEMPLATE)
            )
        )
    yield f"{cluster_url}/{name}"


@pytest.fixture(scope="session")
def app_url(owner_url: str) -> str:
    """This worker's own database, as the application's login."""
    rest = owner_url.split("@", 1)[1]
    return f"postgresql://portal_app:{_APP_PASSWORD}@{rest}"


@pytest.fixture(scope="session")
def parse_problem():
    """A function that parses a problem document, and checks its media type and status."""

    def parse(response) -> dict:
        assert response.headers["content-type"].startswith("application/problem+json")
        body = json.loads(response.content)
        assert body["status"] == response.status_code
        return body

    return parse


os.environ.setdefault("PORTAL_LOG_LEVEL", "ERROR")
