"""Show the web edition on this computer: python docs/serve.py [PORT]

It works from the disk as well; a server is what a phone in the same house, or a browser that
mistrusts files, needs. Only this computer can reach it, unless --everybody is given.
"""

import argparse
import functools
import gzip
import io
import sys
from email.utils import formatdate
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HTML = Path(__file__).resolve().parent / "_build" / "html"


#: What becomes smaller when it is packed; pictures are packed already.
TEXTS = {".css", ".html", ".ipynb", ".js", ".json", ".svg", ".txt"}


@functools.lru_cache(maxsize=256)
def packed(path: Path, changed: float) -> bytes:
    """A file as it was at that time, packed with gzip."""
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


class Quiet(SimpleHTTPRequestHandler):
    """Pages from a folder, without a line for each request; always as they are now, and packed as
    servers do for a browser that can unpack them."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.endswith("/") else path
        takes = "gzip" in self.headers.get("Accept-Encoding", "")
        if not takes or path.suffix not in TEXTS or not path.is_file():
            return super().send_head()
        changed = path.stat().st_mtime
        content = packed(path, changed)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", formatdate(changed, usegmt=True))
        self.end_headers()
        return io.BytesIO(content)

    def log_message(self, *_: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


class Server(ThreadingHTTPServer):
    allow_reuse_address = False  # on Windows, two servers would share a port
    daemon_threads = True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make serve", description=__doc__.split("\n")[0])
    parser.add_argument("port", nargs="?", type=int, default=8000)
    parser.add_argument("--everybody", action="store_true", help="in your network may read it, too")
    args = parser.parse_args(arguments)
    if not (HTML / "index.html").is_file():
        print("make serve: there are no pages yet; make site builds them.", file=sys.stderr)
        return 1
    handler = functools.partial(Quiet, directory=str(HTML))
    try:
        server = Server(("" if args.everybody else "127.0.0.1", args.port), handler)
    except (OSError, OverflowError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        print(
            f"make serve: port {args.port} cannot be had ({why}); take another one, for example"
            f" make serve PORT={8001 if args.port == 8000 else 8000}.",
            file=sys.stderr,
        )
        return 1
    print(f"The book is at http://localhost:{server.server_port}; Ctrl-C closes it.", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
