# Google Colab and Kaggle: this cell installs the book. Anywhere else it does nothing.
import importlib.util
import os
import subprocess
import sys

# Where the book is; `python -m attnbook publish` writes it here and everywhere else.
REPOSITORY = ""


class Stop(Exception):
    def _render_traceback_(self):  # a sentence is shown, and no cell below is run
        return [str(self)]


rented = "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ
if rented and importlib.util.find_spec("attnbook") is None:
    if not REPOSITORY:
        raise Stop(
            "This copy of the book does not know where the book is: in this cell, write the "
            "address of its repository between the quotes of REPOSITORY, and run it again."
        )
    command = [sys.executable, "-m", "pip", "install", "--quiet", f"git+{REPOSITORY}"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        raise Stop(
            f"pip could not install the book from {REPOSITORY}. Is this notebook allowed to use "
            "the internet (on Kaggle: Settings, Internet)? "
            f"pip says: {answer.stderr.strip()}"
        )
    importlib.invalidate_caches()
    print("The book and its data are installed; now run the cells below, from top to bottom.")
