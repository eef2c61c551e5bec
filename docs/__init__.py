"""The web edition of the book: ``python -m docs.build``, from the root of the repository."""
