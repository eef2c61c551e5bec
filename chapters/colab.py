# Google Colab and Kaggle: this cell installs the book. Anywhere else it does nothing.
import importlib.util
import os
import subprocess
import sys

REPOSITORY = ""  # the book's address, for example "https://github.com/somebody/attention"

rented = "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ
if rented and importlib.util.find_spec("attnbook") is None:
    if not REPOSITORY:
        raise ValueError(
            "Write the address of the book's repository between the quotes of REPOSITORY in this "
            "cell, and run it again."
        )
    command = [sys.executable, "-m", "pip", "install", "--quiet", f"git+{REPOSITORY}"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        raise OSError(
            f"pip could not install the book from {REPOSITORY}. Is this notebook allowed to use "
            "the internet (on Kaggle: Settings, Internet)? "
            f"pip says: {answer.stderr.strip()}"
        )
    importlib.invalidate_caches()
    print("The book and its data are installed; now run the cells below, from top to bottom.")
