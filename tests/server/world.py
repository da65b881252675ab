"""Builds the records of a test, and assumes no other data."""

from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from app.server.accounts.tokens import Tokens
from tests.server.accounts.builders import AccountBuilders
from tests.server.catalog.builders import CatalogBuilders
from tests.server.clients.builders import ClientBuilders
from tests.server.lab_settings.builders import LabSettingBuilders
from tests.server.patients.builders import PatientBuilders
from tests.server.physicians.builders import PhysicianBuilders
from tests.server.records import Owner
from tests.server.requisitions.builders import RequisitionBuilders
from tests.server.results.reflex.builders import ReflexBuilders


@dataclass
class World(
    AccountBuilders,
    ClientBuilders,
    LabSettingBuilders,
    PatientBuilders,
    PhysicianBuilders,
    ReflexBuilders,
    RequisitionBuilders,
    CatalogBuilders,
):
    """The builders of all slices, each from ``builders.py`` in the slice's test folder."""

    owner: Owner
    http: httpx.AsyncClient
    tokens: Tokens
    password_hash: str

    @property
    def app(self) -> FastAPI:
        """The application behind ``http``."""
        transport = self.http._transport
        assert isinstance(transport, httpx.ASGITransport)
        assert isinstance(transport.app, FastAPI)
        return transport.app
