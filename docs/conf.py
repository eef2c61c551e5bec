"""How Sphinx writes the web edition: the book's pages and, from the docstrings, its reference.

make site    # docs.build prepares what Sphinx reads, then open docs/_build/html/index.html
"""

import importlib
import inspect
import logging
import re
import sys
from pathlib import Path
from typing import Any

from docs.around import foot
from docs.links import PROJECT, published, repository

project, release = PROJECT["name"], PROJECT["version"]
author = PROJECT["authors"][0]["name"]
language = "en"
html_title = "Attention, from a recurrent network to a real translator"
html_theme = "sphinx_book_theme"
html_show_copyright = html_show_sourcelink = html_show_sphinx = html_copy_source = False
html_static_path = ["static", "_build/static"]
html_extra_path = ["_build/extra"]  # the pages of translators, whole as they are
html_css_files, html_js_files = ["book.css"], ["book.js"]
html_baseurl = published(repository())  # so that a page names its address, where it has one
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
html_theme_options = {
    "use_download_button": False,
    "home_page_in_toc": False,
    "show_toc_level": 2,
    "max_navbar_depth": 1,  # pages below the reference and the solutions are listed there
    "navbar_persistent": [],
    "search_bar_text": "Search the book",
    "extra_footer": foot(repository()),
}
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_nb", "sphinx_copybutton"]
extensions += ["docs.around", "docs.finding", "docs.terms"]

# What a reader types is copied: neither prompts nor what came out.
copybutton_selector = ".bd-article div.highlight:not(.cell_output *) > pre"
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. |\$ ", True

# The notebooks were executed when the book was built, and are shown as they are.
nb_execution_mode = "off"
nb_merge_streams = True
nb_ipywidgets_js = {}
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_all_links_external = True  # docs/links.py has led them; tests follow each
mathjax_path = "mathjax/tex-svg-full.js"  # pictures of formulas: no fonts to load, from any disk
mathjax3_config = {"options": {"enableMenu": False}}

autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"


def is_constant(thing: Any) -> bool:
    """Whether it is neither a function nor a class of ours: a number, a table, a type's name."""
    ours = str(getattr(thing, "__module__", "")).startswith(("attnlib", "attnbook"))
    return not (ours and (inspect.isclass(thing) or inspect.isroutine(thing)))


def public_names(package: Any) -> list[str]:
    """What a package offers: its ``__all__``, or the names that its ``__init__`` imports."""
    offered = [n for n in vars(package) if n[0] != "_" and not inspect.ismodule(vars(package)[n])]
    return sorted(getattr(package, "__all__", offered))


def list_constants(app: Any, page: str, source: list[str]) -> None:
    """Add to a package's page what autodoc leaves out because it is assigned in another module."""
    name = page.removeprefix("api/")
    if name.startswith("attn") and (package := importlib.import_module(name)):
        if hasattr(package, "__path__"):
            package.__all__ = public_names(package)  # which autodoc reads
        listed = [n for n in getattr(package, "__all__", ()) if is_constant(getattr(package, n))]
        entries = "".join(
            # where a file lies on the machine that builds the pages, nobody needs to read
            f".. autodata:: {name}.{n}\n"
            + "   :no-value:\n" * isinstance(getattr(package, n), Path)
            for n in listed
        )
        source[0] += f"\nConstants and names of types\n{'-' * 28}\n\n{entries}" if listed else ""


def skip_any(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """A type that may be anything is a constant here; from Python 3.11 on it is a class."""
    return True if thing is Any else None


def check_documented(app: Any, env: Any) -> None:
    """Warn, and so stop the build, where a name that a package exports is on no page."""
    described = set(env.domaindata["py"]["objects"])
    packages = [page.removeprefix("api/") for page in env.found_docs if page.startswith("api/attn")]
    for package in map(importlib.import_module, packages):
        homes = {package.__name__, "attnbook"}  # what attnbook exports itself is documented once
        for name in getattr(package, "__all__", ()):
            if not {f"{home}.{name}" for home in homes} & described:
                logging.getLogger("sphinx.attnlib").warning(
                    "%s.%s is on no page", package.__name__, name
                )


def comment_of(source: str, name: str, indent: str = "") -> str:
    """What is said of a field or constant: the comment above it (#:) or behind it."""
    above = re.search(rf"((?:^{indent}#: .+\n)+){indent}{name}\b", source, re.MULTILINE)
    behind = re.search(rf"^{indent}{name}\b.*?  # (.+\n(?:{indent}# .+\n)*)", source, re.MULTILINE)
    match = above or behind
    return re.sub(r"\s*(\n\s*)?#:? |\s*\n", " ", match[1]).strip() if match else ""


def describe_values(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Document fields and constants by the comments beside them, not as "Alias for field 0"."""
    path, _, last = name.rpartition(".")
    if what == "data":
        modules = [m for n, m in sys.modules.items() if f"{n}.".startswith(f"{path}.")]
        comments = (comment_of(inspect.getsource(module), last) for module in modules)
        lines[:] = [next(filter(None, comments), "")]
    generated = not any(lines) or lines[0].startswith("Alias for field number")
    if what in ("attribute", "property") and generated:
        module, _, owner = path.rpartition(".")
        source = inspect.getsource(getattr(sys.modules[module], owner))
        lines[:] = [comment_of(source, last, "    ")]


def as_markup(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are text to be read as it stands: |A| is a size, an indented block is kept."""
    done: list[str] = []
    example = False
    for before, line in zip(["", *lines], lines):
        example = line.startswith(">>>") or (example and bool(line))
        if line.startswith("    ") and not before and not (done[-2:] or [""])[0].startswith("    "):
            done += ["::", ""]
        plain = not example and not line.startswith("    ")
        done.append(re.sub(r"(``.*?``)|([|*])", _escaped, line) if plain else line)
    lines[:] = done


def _escaped(match: re.Match) -> str:
    return match[1] or rf"\{match[2]}"


def list_parameters(app: Any, page: str, template: str, context: dict, doctree: Any) -> None:
    """Write the parameters of a long signature as lines: Sphinx makes them descriptions that
    describe nothing, over which a screen reader stumbles."""
    listed = r"<dl>\s*((?:<dd><em class=\"sig-param\">.*?</dd>\s*)+)</dl>"
    lines = {"<dd>": '<span class="sig-line">', "</dd>": "</span>"}

    def as_lines(match: re.Match) -> str:
        return re.sub("</?dd>", lambda tag: lines[tag[0]], match[1])

    context["body"] = re.sub(listed, as_lines, context.get("body", ""), flags=re.DOTALL)


def setup(app: Any) -> None:
    app.connect("html-page-context", list_parameters)
    app.connect("autodoc-skip-member", skip_any)
    app.connect("source-read", list_constants)
    app.connect("autodoc-process-docstring", describe_values)
    app.connect("autodoc-process-docstring", as_markup, priority=400)  # before napoleon
    app.connect("env-check-consistency", check_documented)
