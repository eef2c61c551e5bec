"""What grades notebooks that are handed in: one, or those of a class; and what teachers read."""

from .classroom import course as course
