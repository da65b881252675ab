"""Faults of a site while people work: kills of each kind of process."""

import os
import random
import signal
from collections.abc import Callable

import psutil

from tests.torture.site import Site


def kill_api_process(site: Site, chance: random.Random) -> bool:
    """Kill a process that answers requests, and return whether there was one."""
    return _kill_child(site, chance, "api")


def kill_worker(site: Site, chance: random.Random) -> bool:
    """Kill the worker of a machine, and return whether there was one."""
    return _kill_child(site, chance, "work")


def kill_machine(site: Site, chance: random.Random) -> bool:
    """Kill the first process of a machine, and start the machine again."""
    machine = chance.choice(site.machines)
    machine.kill()
    machine.start()
    return True


def kill_database(site: Site, _chance: random.Random) -> bool:
    """Kill PostgreSQL, and return whether it was running."""
    pid = site.database.pid
    if pid is None:
        return False
    os.kill(pid, signal.SIGKILL)
    return True


def kill_proxy(site: Site, _chance: random.Random) -> bool:
    """Cut all connections: what was sent runs to its end, and nobody gets the answer."""
    site.proxy.kill()
    site.proxy.start()
    return True


FAULTS: dict[str, Callable[[Site, random.Random], bool]] = {
    "API process": kill_api_process,
    "worker": kill_worker,
    "PostgreSQL": kill_database,
    "proxy": kill_proxy,
    "machine": kill_machine,
}
"""Name -> function that makes the fault happen, and returns whether it could."""


def _kill_child(site: Site, chance: random.Random, command: str) -> bool:
    children = [child for machine in site.machines for child in machine.list_children(command)]
    if not children:
        return False
    try:
        chance.choice(children).kill()
    except psutil.NoSuchProcess:
        return False
    return True
