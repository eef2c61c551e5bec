"""The command line: ``python -m attnlib``; and what commands of other packages share with it."""

from .parser import Parser as Parser
from .parser import above_zero as above_zero
from .terminal import width as width
