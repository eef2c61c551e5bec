"""How the notebooks of the book are built from their sources: ``python -m attnbook.builder``.

For the book's repository alone: it needs the packages of the extra [test], and no wheel has it.
"""

from .korean import Term as Term
from .korean import terms as terms
