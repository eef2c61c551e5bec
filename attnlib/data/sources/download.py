"""Fetching a small file from a server that may be slow, busy, broken or not the right one."""

import http.client
import os
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..corpus import CorpusError

#: Bytes of the largest file that is fetched (train.de.gz has 0.6 MB); tries, and the seconds before
#: the second, twice as many before the third.
MAX_DOWNLOAD_BYTES, MAX_ATTEMPTS, BACKOFF_SECONDS = 2**20, 3, 1.0
READ_TIMEOUT = 60.0  # seconds without any byte after which a try has failed
#: Status codes of a server that may recover soon.
RETRY_STATUSES = (408, 425, 429, 500, 502, 503, 504)


def fetch(url: str, hint: str) -> bytes:
    """What a server answers, at most ``MAX_DOWNLOAD_BYTES`` bytes, in up to three attempts.

    Arguments: hint, what else the reader can do, for the sentence that says what went wrong.
    Raises CorpusError.
    """
    for number in range(MAX_ATTEMPTS):
        time.sleep(BACKOFF_SECONDS * 2 ** (number - 1) if number else 0)
        last = number == MAX_ATTEMPTS - 1
        try:
            return _answer(url, hint)
        except CorpusError:
            raise
        except http.client.IncompleteRead as error:
            if last:
                got = len(error.partial)
                raise CorpusError(f"{url} broke off after {got} bytes; run again") from error
        # URLError is an OSError; an address to which a server sends on may be none: ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason: object = getattr(error, "reason", None) or error
            again = isinstance(reason, ConnectionResetError)
            if isinstance(error, urllib.error.HTTPError):
                again, reason = error.code in RETRY_STATUSES, error  # with its number
                error.close()  # it is also the answer, with an open connection
            if last or not again:
                text = " ".join(str(reason).split())[:200]  # a server may write anything there
                raise CorpusError(f"{url} cannot be downloaded ({text}); {hint}") from error
    raise AssertionError("the last try returns or raises")


def _answer(url: str, hint: str) -> bytes:
    with urllib.request.urlopen(url, timeout=READ_TIMEOUT) as answer:
        content: bytes = answer.read(MAX_DOWNLOAD_BYTES + 1)
        if len(content) > MAX_DOWNLOAD_BYTES:
            size = f"larger than {MAX_DOWNLOAD_BYTES:,} bytes, not the file"
            raise CorpusError(f"{url} is {size}; {hint}")
        if answer.length:  # bytes that Content-Length promised and that did not come
            raise http.client.IncompleteRead(content, answer.length)
    return content


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Make a folder, find out whether it can be written, and unmake it if it stays empty.

    Raises CorpusError where it cannot be made or written.
    """
    made = [path for path in (folder, *folder.parents) if not os.path.exists(path)]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            why = f"{folder} cannot be written ({error.strerror})"
            hint = "name a folder you may write to in the environment variable ATTNLIB_DATA"
            raise CorpusError(f"{why}; {hint}") from error
        yield
    finally:
        for path in made:
            with suppress(OSError):  # it is not empty
                path.rmdir()
