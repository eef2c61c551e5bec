"""Linux as Windows is, as far as a test can make it so.

A process that begins with ``imitate()`` finds no module and no name of os and signal that Windows
lacks, calls its system win32, and cannot replace or remove a file that it has open or mapped. The
libraries are loaded before: they know their own ways there, and it is ours that are tried. What no
imitation shows: backslashes, other processes' open files, the console, Windows' own clock and DLLs.
"""

import contextlib
import importlib
import os
import shutil
import signal
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def words(text: str) -> list[str]:
    return text.split()


LIBRARIES = words("""
    torch torch.distributed matplotlib.pyplot seaborn tokenizers safetensors filelock sacrebleu
    tqdm psutil IPython.core.interactiveshell nbformat fontTools resvg_py packaging subprocess
    concurrent.futures multiprocessing.pool urllib.request tempfile http.client shutil
""")
MODULES = ("fcntl", "grp", "pwd", "resource", "pty", "tty", "termios", "syslog", "readline")
#: What os lacks there (docs.python.org/3/library/os.html: "Availability: Unix").
OF_OS = words("""
    chown chroot confstr ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid
    getgrouplist getgroups getloadavg getpgid getpgrp getpriority getresgid getresuid getsid
    getuid killpg lchown lockf mkfifo mknod nice openpty pread preadv pwrite pwritev readv
    register_at_fork sched_getaffinity sched_setaffinity sched_yield set_blocking setegid seteuid
    setgid setgroups setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp
    ttyname uname wait wait3 wait4 waitid writev environb getenvb
""")
#: And signal; of the signals themselves it knows these alone. (SIGKILL stays: subprocess uses it.)
OF_SIGNAL = words("""
    alarm getitimer pause pthread_kill pthread_sigmask setitimer sigpending sigwait siginterrupt
""")
SIGNALS = words("SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN SIGKILL")


def imitate() -> None:
    """From here on, this process finds what it would find on Windows."""
    for name in LIBRARIES:
        importlib.import_module(name)
    sys.meta_path.insert(0, NotThere())
    for name in MODULES:
        sys.modules.pop(name, None)
    statvfs = os.statvfs
    for name in OF_OS:
        vars(os).pop(name, None)
    # shutil has it on Windows, too, where it asks another function than this one, which is gone.
    shutil.disk_usage = lambda path: namedtuple("Usage", "free")(
        statvfs(path).f_bavail * statvfs(path).f_frsize
    )
    for name in [*vars(signal)]:
        if name in OF_SIGNAL or name.startswith("SIG") and name not in SIGNALS:
            delattr(signal, name)
    for name in ("replace", "rename", "remove", "unlink"):
        setattr(os, name, refusing(getattr(os, name)))
    sys.platform = "win32"


class NotThere:
    """Finds, before anybody else does, that a module is not there."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def refusing(change: Callable[..., Any]) -> Callable[..., Any]:
    """What replaces or removes files, but not one that this process has open."""

    def changed(*paths: Any, **how: Any) -> Any:
        for path in () if how.get("dir_fd") else paths:
            if os.path.realpath(path) in held():
                raise PermissionError(13, "The process cannot access the file", str(path))
        return change(*paths, **how)

    return changed


def held() -> set[str]:
    """The files that this process has open or mapped."""
    found = set(_mapped())
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # that of the list itself
            found.add(os.readlink(f"/proc/self/fd/{number}"))
    return found


def _mapped() -> Iterator[str]:
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        yield line.split(maxsplit=5)[-1]
