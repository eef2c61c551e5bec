"""attnlib: what the chapters of the book built, in one small library.

Import the module you need, for instance ``from attnlib.attention import make_attention``.
Importing the package itself loads nothing else and changes nothing.
"""

__version__ = "0.1.0"
