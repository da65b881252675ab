"""What the person who runs the portal may set; everything has a working default."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Read from the environment (``PORTAL_PORT=9000``); ``DATABASE_URL`` has no prefix.

    ``data_dir`` holds the embedded database, the keys and uploaded files; keep it, and keep it
    private.
    ``database_url`` names a database whose login may create roles (it becomes the owner of the
    tables). Without it PostgreSQL is started from the installed wheel.
    ``address_service_url`` names a service that knows the four digits behind a ZIP code, in the
    shape that ``addresses.plus4`` describes; ``address_service_key`` is its ``auth-id:auth-token``,
    ``address_service_seconds`` how long a form waits for it. Without one they are typed by hand.
    ``files_url`` (``s3://bucket/prefix``) is where uploaded files are kept; without it, in
    ``data_dir``. Several portals on several machines need a bucket.
    """

    model_config = SettingsConfigDict(env_prefix="PORTAL_", env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path = Path(".data")
    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    files_url: str | None = None
    time_zone: str = "America/Chicago"
    demo: bool = True
    secure_cookies: bool = False
    ui_dir: Path = Path(__file__).parents[2] / "ui" / "dist"
    read_pool_size: int = 8
    write_pool_size: int = 8
    log_level: str = "INFO"
    address_service_url: str | None = None
    address_service_key: SecretStr | None = None
    address_service_seconds: float = Field(default=3.0, gt=0, le=30)
