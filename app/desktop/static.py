"""The built user interface, as files."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_FOREVER = "public, max-age=31536000, immutable"


class UserInterface(StaticFiles):
    """Serves ``ui/dist``; every other path is a screen and answers ``index.html``.

    The names of files under ``assets/`` contain a hash of the content, so browsers may cache them.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._folder = folder.resolve()
        self._index = self._folder / "index.html"

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or ``index.html``; a missing file under ``assets/`` is a 404."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            is_screen = not path.startswith("assets/") and scope["method"] in ("GET", "HEAD")
            if error.status_code != 404 or not is_screen:
                raise
            return FileResponse(self._index, media_type="text/html")
        if path.startswith("assets/") and response.status_code in (200, 304):
            response.headers["Cache-Control"] = _FOREVER
        return response

    def has_file(self, path: str) -> bool:
        """Whether the path names a file other than ``index.html``, which needs no cookie."""
        relative = path.lstrip("/")
        if not relative or relative == "index.html" or "\\" in relative or "\0" in relative:
            return False
        try:
            file = (self._folder / relative).resolve()
            return file.is_relative_to(self._folder) and file != self._index and file.is_file()
        except OSError:  # too long for a name or a path
            return False
