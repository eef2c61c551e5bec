"""One browser and one JupyterLab for the tests of a module."""

import os
from collections.abc import Callable, Iterator

import pytest
from lab.lab import Lab, LabServer
from web.browser import started

#: make e2e sets it: then the tests run that take long, too.
LONG = bool(os.environ.get("ATTNLIB_LONG"))


@pytest.fixture(scope="module")  # a process has one of playwright's loops at a time
def window() -> Iterator:
    with started() as opened:
        yield opened


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], LabServer]]:
    """JupyterLab as ``make lab`` starts it, on a copy of all chapters: one whose kernels see
    downloaded corpora, for the tests that need one, and one whose kernels do not."""
    made: dict[str | None, LabServer] = {}

    def server() -> LabServer:
        data = os.environ.get("ATTNLIB_DATA")
        if data not in made:
            made[data] = LabServer(tmp_path_factory.mktemp("내 책상 (x)"))
        return made[data]

    yield server
    for each in made.values():
        each.close()


@pytest.fixture
def server(servers: Callable[[], LabServer]) -> LabServer:
    return servers()


@pytest.fixture
def lab(window, server: LabServer, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A window with a chapter: chapter 00, as after ``make lab``, or the one that a test names."""
    name = getattr(request, "param", "00_start")
    server.restore(name)
    opened = Lab(window, server.address_of(name))
    yield opened
    opened.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("long") and not LONG:
            item.add_marker(pytest.mark.skip(reason="takes long: make e2e runs it"))
