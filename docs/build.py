"""Build the web edition: python -m docs.build

The committed notebooks, the README and the docstrings become pages under docs/_build/html, which
also work when they are opened as files, without a network. Nothing is executed. All is built anew
each time, so that the same notebooks give the same pages.
"""

import importlib.metadata
import os
import re
import shutil
import sys
from pathlib import Path

import nbformat

from . import front, translators
from .links import ROOT, SiteError, repository
from .pages import page

HERE = Path(__file__).resolve().parent
OUT = HERE / "_build"
IGNORED = shutil.ignore_patterns("*.py", "__pycache__")
MATHJAX = "mathjax/tex-svg-full.js"  # one file that loads no other, and no fonts


def prepare(source: Path, address: str) -> None:
    """Write what Sphinx reads into an empty folder."""
    shown = translators.shown()
    for path in notebooks():
        notebook = nbformat.read(path, as_version=4)
        origin = path.relative_to(ROOT).as_posix()
        made = page(notebook, origin, address, shown)
        target = source / path.relative_to(ROOT / "chapters")
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(made, target)
    shutil.copytree(HERE / "api", source / "api")
    shutil.copytree(HERE / "figures", source / "figures", ignore=IGNORED)
    front.write(source, shown, address)


def notebooks() -> list[Path]:
    """All notebooks of the book: chapters, the pages behind them, solutions."""
    folder = ROOT / "chapters"
    return sorted([*folder.glob("*.ipynb"), *folder.glob("solutions/*.ipynb")])


def copy_mathjax(target: Path) -> None:
    """Put MathJax beside the pages: the part that this book needs, from a package that has it."""
    try:
        files = importlib.metadata.files("sphinx-mathjax-offline") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    paths = [path for path in files if path.as_posix().endswith(f"static/{MATHJAX}")]
    if not paths:
        raise SiteError("MathJax is not there: make site installs it (sphinx-mathjax-offline)")
    target.mkdir(parents=True)
    shutil.copyfile(paths[0].locate(), target / Path(MATHJAX).name)


def lighten(html: Path) -> None:
    """Leave out what no page of this book uses, and let no script stand in the way of the text.

    Of the theme's icons, of which the book has a dozen, all stay where they are packed otherwise.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in html.rglob("*.html")}
    scripts = html / "_static" / "scripts"
    icons = scripts / "fontawesome.js"
    texts = {path: path.read_text(encoding="utf-8") for path in scripts.glob("*.js")}
    all_icons = texts.pop(icons, "")
    used = set(re.findall(r"\bfa-([a-z-]+)", "".join([*pages.values(), *texts.values()])))
    entry = r'"?([\w-]+)"?:\[\d+,\d+,\[[^\]]*\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
    used_icons = re.sub(entry, lambda match: match[0] if match[1] in used else "", all_icons)
    if all_icons:
        icons.write_text(used_icons, encoding="utf-8", newline="\n")
    for path in (html / "_static").rglob("*.map"):
        path.unlink()
    for path, text in pages.items():
        if "_static/" in text:  # a page of Sphinx's, not a translator, which is whole as it is
            text = text_first(text, search=path.name == "search.html")
            path.write_text(text, encoding="utf-8", newline="\n")


#: What only the search needs; its words are marked by book.js.
OF_SEARCH = ("sphinx_highlight.js", "searchtools.js", "language_data.js", "searchindex.js")
#: A script that the head of a page loads: its attributes, and the file.
LOADED = re.compile(r'[ ]*<script((?: defer(?:="defer")?)?) src="([^"]+)"></script>\n?')


def text_first(page: str, search: bool = False) -> str:
    """A page whose scripts wait until its text is there, and of which only the search loads the
    search's: the theme gives its index, of more than half a megabyte, to every page.

    The options of Sphinx stay in front, for a line in the head changes them.
    """
    head, end, body = page.partition("</head>")
    head = re.sub(r"<title>(.+?) &#8212; \1</title>", r"<title>\1</title>", head)  # of the front
    last: list[str] = []
    changes: list[str] = []

    def place_script(match: re.Match) -> str:
        name = match[2].rpartition("/")[2].partition("?")[0]
        if name in OF_SEARCH and not search:
            return ""
        if name == "documentation_options.js":
            return match[0]
        script = f'<script defer src="{match[2]}"></script>\n'
        if "/mathjax/" in match[2]:
            last.append(script)  # the largest: not before the styles
            return ""
        if name == "find.js":
            changes.append(script)  # Sphinx's search, before that has its index and begins
            return ""
        return "".join(changes) + script if name == "searchindex.js" else script

    head = LOADED.sub(place_script, head)
    text, close, rest = body.rpartition("</body>")
    return f"{head}{end}{text}{''.join(last)}{close}{rest}"


def build(out: Path) -> int:
    """Prepare, let Sphinx write the pages, and return its exit status."""
    from sphinx.cmd.build import build_main

    shutil.rmtree(out, ignore_errors=True)
    prepare(out / "source", repository())
    copy_mathjax(out / "static" / "mathjax")
    translators.write(out / "extra", translators.shown())
    for path in (ROOT / "chapters").glob("[01]*.ipynb"):
        shutil.copyfile(path, out / "extra" / path.name)  # to be had beside their pages
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    arguments = ["-q", "-b", "html", "-W", "--keep-going", "-j", "auto", "-c", str(HERE)]
    places = ["-d", str(out / "doctrees"), str(out / "source"), str(out / "html")]
    if status := build_main([*arguments, *places]):
        return status
    lighten(out / "html")
    return 0


def main() -> int:
    try:
        status = build(OUT)
    except SiteError as problem:
        print(f"make site: {problem}", file=sys.stderr)
        return 1
    if not status:
        print(f"Open {(OUT / 'html' / 'index.html').relative_to(ROOT)}, or run make serve.")
    return status


if __name__ == "__main__":
    sys.exit(main())
