"""The command line: ``python -m attnlib``; and what commands of other packages share with it."""

from .parser import Parser as Parser
from .parser import positive_float as positive_float
from .terminal import width as width
