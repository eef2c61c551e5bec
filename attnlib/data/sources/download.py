"""Fetching a small file from a server that may be slow, busy, broken or not the right one."""

import http.client
import tempfile
import time
import urllib.error
import urllib.request
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
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(url, timeout=READ_TIMEOUT) as answer:
                content: bytes = answer.read(MAX_DOWNLOAD_BYTES + 1)
                # Bytes that Content-Length promised and that did not come.
                if answer.length and len(content) <= MAX_DOWNLOAD_BYTES:
                    raise http.client.IncompleteRead(content, answer.length)
            break
        # URLError is an OSError; an address to which a server sends on may be none: ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            if not _is_temporary(error) or attempt == MAX_ATTEMPTS:
                reason = " ".join(str(error).split())[:200]  # a server may write anything there
                raise CorpusError(f"{url} cannot be downloaded ({reason}); {hint}") from error
            time.sleep(BACKOFF_SECONDS * 2 ** (attempt - 1))
    if len(content) > MAX_DOWNLOAD_BYTES:
        size = f"larger than {MAX_DOWNLOAD_BYTES:,} bytes, not the file"
        raise CorpusError(f"{url} is {size}; {hint}")
    return content


def _is_temporary(error: Exception) -> bool:
    if isinstance(error, urllib.error.HTTPError):
        error.close()  # it is also the answer, with an open connection
        return error.code in RETRY_STATUSES
    reason = getattr(error, "reason", error)
    return isinstance(reason, ConnectionResetError | http.client.IncompleteRead)


def check_writable(folder: Path) -> None:
    """Make a folder; raise CorpusError where it cannot be made or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        why = f"{folder} cannot be written ({error.strerror})"
        hint = "name a folder you may write to in the environment variable ATTNLIB_DATA"
        raise CorpusError(f"{why}; {hint}") from error
