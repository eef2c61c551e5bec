"""A translator as one HTML file, which translates in a browser without network or server."""

from .export import export_page, read_examples

__all__ = ["export_page", "read_examples"]
