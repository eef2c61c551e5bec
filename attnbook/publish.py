"""Write the address of the book's repository everywhere where it stands.

``python -m attnbook publish URL``, in a checkout. Nothing has to be built afterwards: of a notebook
only the last line of its first cell is changed, which no output depends on.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from attnlib.files import write_bytes

ROOT = Path(__file__).resolve().parents[1]
#: Where the address stands: a pattern that is found once in each file, and what it becomes. Lines
#: end as they did, also in a checkout on Windows.
PLACES = {
    "pyproject.toml": (
        r'(\r?\n)(?:\[project\.urls\]\r?\nRepository = "[^"]*"\r?\n\r?\n)?\[project\.scripts\]',
        r'\g<1>[project.urls]\g<1>Repository = "{}"\g<1>\g<1>[project.scripts]',
    ),
    "CITATION.cff": (
        r"(?m)^type: software(\r?\n)(?:repository-code: [^\r\n]*\r?\n)?",
        r'type: software\g<1>repository-code: "{}"\g<1>',
    ),
}
INSTALLS = "    %pip install --quiet git+{}"
NOT_PUBLISHED = (
    '    raise SystemExit("Put here: %pip install git+ and the address of the book\'s repository")'
)
#: The last line of the first cell of a notebook, as JSON has it.
IN_A_NOTEBOOK = (r'"    (?:raise SystemExit\(\\"Put here|%pip install ).*"', f'"{INSTALLS}"')
FIRST_CELL = '"id": "colab"'  # of those notebooks that run code
INSIDE = {"", "-", ".", "..", "blob", "src", "tree"}  # in the address of a page of a repository
EXAMPLE = "https://github.com/somebody/attention"


def colab_cell(address: str) -> str:
    """The cell that installs the book in Google Colab and on Kaggle, which open a notebook alone.

    An address that is not known yet is asked for: an invented one would install whatever somebody
    puts there.
    """
    return (
        "# Google Colab and Kaggle: installs the book; elsewhere it does nothing\n"
        'if __import__("os").environ.keys() & {"COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"}:\n'
        f"{INSTALLS.format(address) if address else NOT_PUBLISHED}"
    )


class PublishError(ValueError):
    """The address cannot be written: a sentence says why, and nothing was changed."""


def normalize_address(url: str) -> str:
    """The address of a repository as it is written, without a slash or .git at its end.

    >>> normalize_address("https://GitHub.com/somebody/attention.git/")
    'https://github.com/somebody/attention'

    Raises PublishError where it is none.
    """
    bare = url.strip().rstrip("/").removesuffix(".git")
    match = re.fullmatch(r"https://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9._~/-]+)", bare)
    if match:
        host, parts = match[1].lower(), match[2].split("/")
        if not INSIDE & {*parts} and (host != "github.com" or len(parts) == 2):
            return f"https://{host}/{match[2]}"
    name = re.search(r"\bgithub\.com[:/]+([\w.-]+/[\w.-]+)", url)
    example = f"https://github.com/{name[1].removesuffix('.git')}" if name else EXAMPLE
    raise PublishError(
        f"{url!r} is not the address of a repository, which looks like {example}; "
        "nothing was changed"
    )


def publish(address: str, root: Path = ROOT) -> list[Path]:
    """Write an address everywhere; the files that changed. All of them are written, or none.

    Raises PublishError where a file has no place for it, and StorageError where one cannot be
    written.
    """
    before, after = {}, {}
    for path, (pattern, replacement) in _places(root):
        text = path.read_bytes().decode("utf-8")
        changed, count = re.subn(pattern, replacement.format(address), text)
        if count != 1:
            raise PublishError(
                f"{path} has {count} lines for the address and should have one: "
                "git checkout brings it back; nothing was changed"
            )
        if changed != text:
            before[path], after[path] = text.encode(), changed.encode()
    written: list[Path] = []
    try:
        for path, content in after.items():
            write_bytes(path, content)
            written.append(path)
    except BaseException:
        for path in written:
            write_bytes(path, before[path])
        raise
    return written


def _places(root: Path) -> Iterator[tuple[Path, tuple[str, str]]]:
    """The files in which the address stands, each with its pattern and what that becomes."""
    if not all((root / name).is_file() for name in PLACES):
        raise PublishError(
            f"{root} is not the book's repository: clone it, and publish from its folder"
        )
    yield from ((root / name, place) for name, place in PLACES.items())
    chapters = root / "chapters"
    for path in sorted([*chapters.glob("*.ipynb"), *chapters.glob("solutions/*.ipynb")]):
        if FIRST_CELL in path.read_text(encoding="utf-8"):
            yield path, IN_A_NOTEBOOK
