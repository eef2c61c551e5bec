"""How the notebooks of the book are built from their sources: ``python -m attnbook.builder``."""
