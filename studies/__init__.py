"""Studies behind a few of the book's records. They build on the programs of benchmarks/, which
import one another by bare names.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
