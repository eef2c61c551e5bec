"""Show the web edition on this computer: python site/serve.py [PORT]

It works from the disk as well; a server is what a phone in the same house, or a browser that
mistrusts files, needs. Only this computer can reach it, unless --everybody is given.
"""

import argparse
import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HTML = Path(__file__).resolve().parent / "_build" / "html"


class Quiet(SimpleHTTPRequestHandler):
    """Pages from a folder, without a line for each request; always as they are now."""

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
    given = parser.parse_args(arguments)
    if not (HTML / "index.html").is_file():
        print("make serve: there are no pages yet; make site builds them.", file=sys.stderr)
        return 1
    handler = functools.partial(Quiet, directory=str(HTML))
    try:
        server = Server(("" if given.everybody else "127.0.0.1", given.port), handler)
    except (OSError, OverflowError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        print(
            f"make serve: port {given.port} cannot be had ({why}); take another one, for example"
            f" make serve PORT={8001 if given.port == 8000 else 8000}.",
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
