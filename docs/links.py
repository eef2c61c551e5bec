"""Where a link of the book leads on its pages: to a page, to a cell on it, or into the repository.

A notebook links to another one as JupyterLab does: ``05_attention.ipynb#cell-id=emblem``. On the
pages every cell stands under that same name, ``cell-id=emblem``, so that only the ending changes.
"""

import os
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import quote

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Files and folders of the repository that are pages, or lie beside them, and under which name.
MOVED = {
    "README.md": "index.html",
    "docs/INSTALL.md": "run.html",
    "attnlib/README.md": "run.html",
    "chapters": "index.html",
    "chapters/solutions": "solutions/index.html",
    "attnlib": "api/index.html",
}
#: Code of a text, where nothing is a link: a fenced block, or something between backticks.
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


class SiteError(Exception):
    """The web edition cannot be built: which file, where in it, and why."""


def repository() -> str:
    """The address of the repository, or nothing where nobody knows it.

    It is the one of pyproject.toml (``[project.urls]``, Repository), else that of the workflow that
    builds the pages, which GitHub gives as two variables.
    """
    name = os.environ.get("GITHUB_REPOSITORY", "")
    host = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    address = PROJECT.get("urls", {}).get("Repository") or (f"{host}/{name}" if name else "")
    return address.removesuffix("/").removesuffix(".git")


def published(address: str) -> str:
    """Where GitHub publishes the pages of a repository; nothing where that is not known.

    >>> published("https://github.com/A/b"), published("https://example.org/b")
    ('https://a.github.io/b/', '')
    """
    match = re.fullmatch(r"https://github\.com/([\w-]+)/([\w.-]+)", address)
    return f"https://{match[1].lower()}.github.io/{match[2]}/" if match else ""


def launchers(notebook: str, address: str) -> dict[str, str]:
    """Where a notebook runs without being installed: a name and an address each.

    >>> launchers("chapters/01_rnn.ipynb", "https://github.com/a/b")["Colab"]
    'https://colab.research.google.com/github/a/b/blob/main/chapters/01_rnn.ipynb'
    >>> launchers("chapters/01_rnn.ipynb", "")
    {}
    """
    name = address.removeprefix("https://github.com/")
    if name in (address, ""):
        return {}
    path = quote(f"lab/tree/{notebook}", safe="")
    return {
        "Binder": f"https://mybinder.org/v2/gh/{name}/main?urlpath={path}",
        "Colab": f"https://colab.research.google.com/github/{name}/blob/main/{notebook}",
    }


def page_of(path: str) -> str | None:
    """The page that a file or folder of the repository has become; None where it is none.

    >>> page_of("chapters/solutions/01_rnn.ipynb"), page_of("Makefile")
    ('solutions/01_rnn.html', None)
    """
    if path.startswith("chapters/") and path.endswith(".ipynb"):
        return path.removeprefix("chapters/").removesuffix(".ipynb") + ".html"
    if path.startswith("docs/figures/"):
        return path.removeprefix("docs/")
    return MOVED.get(path)


def led(target: str, origin: str, page: str, address: str) -> str | None:
    """Where a link leads on the pages; None where it leads nowhere and should be plain text.

    Arguments: target, as it stands in the file; origin, that file, and page, the page made of it,
    both from their roots; address, that of the repository. Raises SiteError where there is no such
    file.

    >>> led("../A_notation.ipynb#cell-id=x", "chapters/solutions/01.ipynb", "solutions/01.html", "")
    '../A_notation.html#cell-id=x'
    """
    path, mark, fragment = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    if not (ROOT / path).exists():
        raise SiteError(f"{origin}: the link to {target!r} leads nowhere; mend it in its source")
    if target_page := page_of(path):
        return posixpath.relpath(target_page, posixpath.dirname(page) or ".") + mark + fragment
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{address}/{kind}/main/{path}" if address else None


def relinked(text: str, origin: str, page: str, address: str) -> str:
    """A text in Markdown whose links and pictures lead where they should on its page."""

    def led_there(match: re.Match) -> str:
        where = led(match[3], origin, page, address)
        return match[2] if where is None else f"{match[1]}[{match[2]}]({where})"

    # The text of a link may hold code, but what looks like a link in code is none: so the code is
    # taken out while links are looked for, and put back.
    pieces = CODE.split(text)
    plain = relinked_html("\0".join(pieces[::2]), origin, page, address)
    plain = re.sub(r"(!?)\[([^\]\[]*)\]\(([^)\s]+)\)", led_there, plain)
    return "".join(a + b for a, b in zip(plain.split("\0"), [*pieces[1::2], ""]))


def relinked_html(text: str, origin: str, page: str, address: str) -> str:
    """The same for HTML: what a cell put out, or what stands in a text.

    >>> relinked_html("<a href='01_rnn.ipynb#cell-id=x'>", "chapters/02.ipynb", "02.html", "")
    "<a href='01_rnn.html#cell-id=x'>"
    """

    def led_there(match: re.Match) -> str:
        return f"{match[1]}{led(match[3], origin, page, address) or '#'}{match[2]}"

    return re.sub(r"(\bhref=(['\"]))([^'\"]+)\2", led_there, text)
