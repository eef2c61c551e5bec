"""The downloader, against every way in which a server can be bad."""

import gc
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from attnlib.data import CorpusError
from attnlib.data.sources import download
from attnlib.data.sources.download import check_writable, fetch

GOOD = bytes(range(256)) * 20
FINE = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(GOOD) + GOOD
OPEN = b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n"  # of unknown length
Answer = Callable[[socket.socket], None]


def says(*parts: bytes) -> Answer:
    return lambda client: client.sendall(b"".join(parts))


def status(code: int, *head: str) -> Answer:
    lines = [f"HTTP/1.1 {code} Such", "Content-Length: 4", *head, "", "body"]
    return says("\r\n".join(lines).encode())


def reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def for_ever(begin: bytes, part: bytes, seconds: float = 0.0) -> Answer:
    def answer(client: socket.socket) -> None:
        client.sendall(begin)
        while not over.wait(seconds):
            client.sendall(part)

    return answer


over = threading.Event()
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
GOOD_CHUNKS = CHUNKED + b"%x\r\n" % len(GOOD) + GOOD + b"\r\n0\r\n\r\n"


@pytest.fixture
def server() -> Iterator[Callable[..., str]]:
    """Gives the address at which the first is asked the first answer, and so on; the last stays."""
    over.clear()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)
    answers: list[Answer] = []
    requests: list[bytes] = []

    def talk(client: socket.socket, answer: Answer) -> None:
        with client, suppress(OSError):
            requests.append(client.recv(65536))
            answer(client)

    def serve() -> None:
        with listener:
            while not over.is_set():
                with suppress(TimeoutError):
                    client, _ = listener.accept()
                    client.settimeout(10)
                    answer = answers.pop(0) if len(answers) > 1 else answers[0]
                    threading.Thread(target=talk, args=(client, answer), daemon=True).start()

    def start(*given: Answer) -> str:
        answers.extend(given)
        return f"http://127.0.0.1:{listener.getsockname()[1]}/file.gz"

    thread = threading.Thread(target=serve)
    thread.start()
    start.requests = requests  # type: ignore[attr-defined]
    yield start
    over.set()
    thread.join()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "BACKOFF_SECONDS", 0.0)


def moved(to: str) -> Answer:
    return status(302, f"Location: {to}")


#: A server that is fine in the end, and how often it is asked.
MENDED = {
    "fine": ([says(FINE)], 1),
    "chunked": ([says(GOOD_CHUNKS)], 1),
    "moved": ([moved("/elsewhere.gz"), says(FINE)], 2),
    "busy once": ([status(503), says(FINE)], 2),
    "reset once": ([reset, says(FINE)], 2),
    "broken off once": ([says(FINE[:-7]), says(FINE)], 2),
}
#: One that is not, how often it is asked, and what is said.
BAD = {
    "missing": ([status(404)], 1, "404"),
    "busy": ([status(503)], 3, "503"),
    "reset": ([reset], 3, "reset"),
    "broken off": ([says(FINE[:-7])], 3, "IncompleteRead(5113 bytes read, 7 more expected)"),
    "not HTTP": ([says(b"SSH-2.0-OpenSSH_9.2\r\n")], 1, "cannot be downloaded"),
    "moved to a file": ([moved("file:///etc/passwd")], 1, "cannot be downloaded"),
    "silent in the body": ([for_ever(FINE[:-9], b"", 9)], 1, "cannot be downloaded"),
}


@pytest.mark.parametrize("way", MENDED)
def test_a_server_that_is_well_again_within_three_tries_gives_the_file(server, way: str) -> None:
    answers, times = MENDED[way]
    assert fetch(server(*answers), "try later") == GOOD
    assert len(server.requests) == times


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # urllib's sockets
@pytest.mark.parametrize("way", BAD)
def test_a_bad_server_is_given_up_within_bounds_and_in_one_sentence(
    server, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, times, expected = BAD[way]
    if "silent" in way:
        monkeypatch.setattr(download, "READ_TIMEOUT", 0.3)
    with pytest.raises(CorpusError) as caught:
        fetch(url := server(*answers), "try later")
    message = str(caught.value)
    assert expected in message and message.startswith(url) and "\n" not in message
    assert message.endswith("try later") and len(message) < 400
    assert len(server.requests) == times


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_address_that_is_none_is_one_sentence(server) -> None:
    with pytest.raises(CorpusError, match="cannot be downloaded .*; try later"):
        fetch(server(moved("http://[bad/x")), "try later")
    gc.collect()  # urllib leaves that connection to be closed by chance


def test_what_is_read_of_an_endless_answer_is_bounded(server, monkeypatch) -> None:
    """It was all of it: 3 GB in 12 seconds, and then the memory was not enough."""
    most = list[int]()
    read = download.http.client.HTTPResponse.read

    def counted(answer, size=None):
        content = read(answer, size)
        most.append(len(content))
        return content

    monkeypatch.setattr(download.http.client.HTTPResponse, "read", counted)
    with pytest.raises(CorpusError, match="is larger than"):
        fetch(server(for_ever(OPEN, GOOD * 100)), "try later")
    assert most == [download.MAX_DOWNLOAD_BYTES + 1]


def test_between_tries_it_waits_longer_and_longer(server, monkeypatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(download, "BACKOFF_SECONDS", 1.0)
    monkeypatch.setattr(download.time, "sleep", waits.append)
    with pytest.raises(CorpusError, match="503"):
        fetch(server(status(503)), "try later")
    assert waits == [1.0, 2.0]


def test_no_network_is_reported_at_once(monkeypatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(download.time, "sleep", waits.append)
    for url in ("http://127.0.0.1:9/x", "http://no-such-host.invalid/x"):
        with pytest.raises(CorpusError, match="cannot be downloaded .*; try later"):
            fetch(url, "try later")
    assert waits == []


# Where it goes -----------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_writable(tmp_path / "a" / "b")
    assert not any((tmp_path / "a" / "b").iterdir())
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("long" * 100)):
        with pytest.raises(CorpusError, match="cannot be written .*ATTNLIB_DATA"):
            check_writable(place)
    monkeypatch.setattr(download.tempfile, "TemporaryFile", denied)  # root may write anywhere
    with pytest.raises(CorpusError, match="cannot be written .Permission denied.; name a folder"):
        check_writable(tmp_path)


def denied(**given: object) -> None:
    raise PermissionError(13, "Permission denied")
