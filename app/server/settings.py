"""The settings of the portal; every setting has a working default."""

import os
import sys
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_SAFE_ADDRESS = r"(?i)^(https://|http://(127\.0\.0\.1|localhost)[:/])"
"""A URL that may receive a key and forms: encrypted, or on this machine."""


class Settings(BaseSettings):
    """Settings from the environment (``PORTAL_PORT=9000``); ``DATABASE_URL`` has no prefix.

    E-mails need ``smtp_host`` and ``email_from``. The server must support TLS, with a certificate
    that this machine or ``smtp_ca_file`` trusts.

    Faxes go through an HTTP provider (``fax_api_key``, ``fax_connection_id``, and ``fax_from``) or
    through an e-mail gateway (``fax_gateway``).

    Attributes:
        data_dir: the folder of the embedded database, the keys, and the uploaded files. Back it up
            and keep it private.
        database_url: a database whose login may create roles; the login becomes the owner of the
            tables. Without it, the portal starts PostgreSQL from the installed wheel.
        files_url: the store of uploaded files (``s3://bucket/prefix``), by default in ``data_dir``.
            Portals on several machines need a bucket.
        audit_anchor: where the seals of the audit log are copied, so that a removal of
            the last rows is noticed: a file, by default in ``data_dir``, or ``s3://bucket/prefix``.
            Put it on a machine or in a bucket to which the owner of the database cannot write.
        demo_host: the demo lab is served to others only if this equals ``host`` or the host of
            ``public_url``. Otherwise it is served to this machine only, because its passwords are
            published.
        trusted_proxies: the addresses or networks of the proxies in front of the portal, separated
            by commas. The portal trusts what they say about a request's sender.
        metrics_token: the bearer token of the metrics collector; without it, the portal offers no
            metrics.
        address_service_url: a service for ZIP code extensions with the interface of
            ``addresses.plus4``. Without a service, people type the extension.
        address_service_key: the service's ``auth-id:auth-token``.
        address_service_seconds: the time that a form waits for the service.
        public_url: the address that people use. With https, cookies are marked secure, and browsers
            use only https.
        smtp_security: ``starttls`` (port 587) or ``implicit`` (465).
        email_from: the sender ('The Lab <noreply@lab.example>').
        email_attaches_forms: whether e-mails have the forms attached; otherwise they link to the
            forms below ``public_url``.
        fax_api_url: the address of the provider; any provider with the same API can be used.
        fax_from: the sender's number.
        fax_gateway: the gateway's address, in which '{number}' is replaced by the ten digits.
        fax_poll_seconds: the interval of checking a fax in progress.
        send_wait_seconds: the delay after the first failed send; each later delay is doubled.
        send_wait_max_seconds: the longest delay.
        send_hours: how long failed sends are repeated.
        worker_poll_seconds: the interval of checking for due jobs.
        hang_seconds: how long a process of the portal may be silent before it is replaced.
        processes: how many processes answer requests, by default as many as this machine has cores.
            On systems without balanced shared ports (all but Linux) there is one.
        drawing_processes: how many processes draw reports, each one report at a time. Every process
            that answers requests has at least one of them.
    """

    model_config = SettingsConfigDict(env_prefix="PORTAL_", env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path = Path(".data")
    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    files_url: str | None = None
    audit_anchor: str | None = None
    time_zone: str = "America/Chicago"
    demo: bool = True
    demo_host: str | None = None
    trusted_proxies: str = ""
    metrics_token: SecretStr | None = None
    ui_dir: Path = Path(__file__).parents[2] / "ui" / "dist"
    read_pool_size: int = Field(default=8, ge=2)
    # Each of a worker's four jobs may have a connection while it waits for a second one.
    write_pool_size: int = Field(default=8, ge=5)
    log_level: str = "INFO"
    address_service_url: str | None = None
    address_service_key: SecretStr | None = None
    address_service_seconds: float = Field(default=3.0, gt=0, le=30)
    public_url: str | None = Field(default=None, pattern=r"(?i)^https?://[^/]+(/[^?#]*)?$")
    smtp_host: str | None = None
    smtp_port: int | None = Field(default=None, ge=1, le=65535)
    smtp_security: Literal["starttls", "implicit"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_ca_file: Path | None = None
    smtp_seconds: float = Field(default=30.0, gt=0, le=300)
    email_from: str | None = None
    email_attaches_forms: bool = False
    fax_api_url: str = Field(default="https://api.telnyx.com/v2", pattern=_SAFE_ADDRESS)
    fax_api_key: SecretStr | None = None
    fax_connection_id: str | None = None
    fax_from: str | None = None
    fax_gateway: str | None = Field(default=None, pattern=r"^[^@\s]*\{number\}[^@\s]*@[^@\s]+$")
    fax_seconds: float = Field(default=60.0, gt=0, le=300)
    fax_poll_seconds: float = Field(default=15.0, gt=0)
    send_wait_seconds: float = Field(default=60.0, gt=0)
    send_wait_max_seconds: float = Field(default=4 * 3600, gt=0)
    send_hours: float = Field(default=24.0, gt=0)
    worker_poll_seconds: float = Field(default=5.0, gt=0)
    hang_seconds: float = Field(default=45.0, ge=3)
    processes: int | None = Field(default=None, ge=1, le=64)
    drawing_processes: int = Field(default=2, ge=1, le=16)

    @field_validator("public_url")
    @classmethod
    def _normalize_public_url(cls, url: str | None) -> str | None:
        """Write the address as browsers do in Origin: in lower case, without the default port."""
        if url is None:
            return None
        parts = urlsplit(url)
        if not parts.hostname or parts.username is not None:
            raise ValueError("an address needs a host, and has no user")
        host = parts.hostname
        if not host.isascii():
            host = host.encode("idna").decode()
        if ":" in host:
            host = f"[{host}]"
        usual_port = 443 if parts.scheme == "https" else 80
        port = "" if parts.port in (None, usual_port) else f":{parts.port}"
        return f"{parts.scheme}://{host}{port}{parts.path}"

    @property
    def api_processes(self) -> int:
        """How many processes answer requests."""
        if sys.platform != "linux":
            return 1
        return self.processes or len(os.sched_getaffinity(0))

    @property
    def uses_tls(self) -> bool:
        """Whether people reach the portal over TLS, which a proxy in front of it terminates."""
        return (self.public_url or "").startswith("https://")

    @property
    def has_mail_server(self) -> bool:
        """Whether the portal can send e-mails."""
        return bool(self.smtp_host and self.email_from)
