"""``load_corpus``: the one function of the library that reads corpora from disk or network.

What it opens stands in ``sources`` and is imported when it is called.
"""

from .corpus import Corpus, StrPath

CORPUS_NAMES = ("ko-en", "ko-en-easy", "multi30k-de-en", "multi30k-fr-en")


def load_corpus(name: StrPath, cache: StrPath | None = None) -> Corpus:
    """A corpus by its name, or from a table of the reader's own.

    Arguments: name, one of ``CORPUS_NAMES`` or the path of a table: a ``.tsv`` or ``.txt`` in UTF-8
    whose lines are source<TAB>target, or a ``.csv`` (more columns are ignored; ``.swapped()`` turns
    the direction round); cache, where downloads are kept: by default $ATTNLIB_DATA or the user's
    cache directory. A split is read, and if need be downloaded, when it is first used.

    Of a table, blank lines, a first row that names the columns, and quotes around cells are left
    out; texts are normalized (``attnlib.data.text``). Raises CorpusError for what cannot be used;
    warns (CorpusWarning) of what was left out, or is odd.

    >>> corpus = load_corpus("ko-en-easy")
    >>> sorted(corpus.splits), corpus.src_language
    (['test', 'test_composition', 'train', 'valid'], 'Korean')
    """
    from .sources import open_corpus

    return open_corpus(name, CORPUS_NAMES, cache)
