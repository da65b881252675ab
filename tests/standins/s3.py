"""A stand-in for an S3-compatible service, with the operations that the file store uses."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.standins.ports import ADDRESS

_NAME = "documents"


@dataclass
class Bucket:
    """The bucket 'documents': its objects by path, and the Authorization headers of uploads."""

    objects: dict[str, bytes] = field(default_factory=dict)
    authorizations: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of programs that use the bucket."""
        return {
            "AWS_ENDPOINT": f"http://{ADDRESS}:{self.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "lab-1",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "something",
        }


@contextmanager
def run_bucket() -> Iterator[Bucket]:
    """Serve a new bucket as long as the context is open."""
    bucket = Bucket()
    server = ThreadingHTTPServer((ADDRESS, 0), _build_handler(bucket))
    bucket.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield bucket
    finally:
        server.shutdown()
        server.server_close()


def _build_handler(bucket: Bucket) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_arguments: object) -> None:
            """Log nothing."""

        def do_PUT(self) -> None:
            """Put Object, with ``If-None-Match: *`` as a condition."""
            content = self._read_body()
            bucket.authorizations.append(self.headers.get("authorization", ""))
            if self.headers.get("if-none-match") == "*" and self.path in bucket.objects:
                self._answer(412)
                return
            bucket.objects[self.path] = content
            self._answer(200)

        def do_GET(self) -> None:
            """Get Object."""
            content = bucket.objects.get(self.path)
            self._answer(404 if content is None else 200, content or b"")

        def do_POST(self) -> None:
            """Delete Objects: every key in the body, whether it exists or not."""
            keys = re.findall("<Key>(.*?)</Key>", self._read_body().decode())
            for key in keys:
                bucket.objects.pop(f"/{_NAME}/{key}", None)
            deletions = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
            self._answer(200, f"<DeleteResult>{deletions}</DeleteResult>".encode())

        def _read_body(self) -> bytes:
            return self.rfile.read(int(self.headers["content-length"]))

        def _answer(self, status: int, content: bytes = b"") -> None:
            self.send_response(status)
            self.send_header("ETag", '"1"')
            self.send_header("Last-Modified", "Wed, 04 Mar 2026 07:30:00 GMT")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler
