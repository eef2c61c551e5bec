"""The classroom: chapters handed out, notebooks taken back, a page for the class."""

from .folder import grade_folder as grade_folder
from .plan import course as course
from .submissions import code_digest as code_digest
