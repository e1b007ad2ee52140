"""The home is its owner's alone: folders 0700, files 0600, whatever the umask says; POSIX only."""

import os
from pathlib import Path

OTHERS = 0o077  # what a group and the rest of the world may do
MANY = ("mail", "post")  # folders of thousands of files, looked through only when there is reason to

SHARED = (
    "bin", "boot", "dev", "etc", "home", "lib", "media", "mnt", "opt", "proc", "run", "sbin", "srv", "sys", "tmp",
    "usr", "var",
)  # fmt: skip


class Shared(Exception):
    """A folder of the system's, or with a person's whole home in it: it cannot be the service's alone."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds more than the service: name a folder of its own as home (PBEM_HOME)")
        self.path = path


class NotOurs(Exception):
    """Somebody else owns what lies in the home, so that it cannot be closed to others."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} cannot be made readable by its owner alone: it belongs to another user; "
            "run this as the owner of the home folder, or give it to yourself with chown"
        )
        self.path = path


def private_folder(path: Path) -> Path:
    """The folder, made if need be, for its owner alone."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def private_file(path: Path) -> Path:
    """The file, made empty if need be, for its owner alone."""
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path


def is_shared(path: Path) -> bool:
    """Whether others than the service live there."""
    path = path.resolve()
    system = {Path("/"), *(Path("/") / name for name in SHARED)}
    return path in system or path in Path.home().resolve().parents


def close_to_others(home: Path, *, thoroughly: bool = False) -> None:
    """Mends a home that others can look into. Raises NotOurs, Shared.

    Links are not followed. What lies in a folder of many files is looked at if the folder had to be mended, or if it
    is to be done thoroughly: behind a closed folder nobody sees a file's mode.
    """
    if os.name != "posix":
        return
    home = home.resolve()
    if is_shared(home):
        raise Shared(home)
    was_open = _close(home)
    for folder, subfolders, files in os.walk(home):
        here = Path(folder)
        for name in files:
            _close(here / name)
        for name in list(subfolders):
            mended = _close(here / name)
            if here == home and name in MANY and not (mended or was_open or thoroughly):
                subfolders.remove(name)


def _close(path: Path) -> bool:
    """Whether others could use it until now."""
    try:
        mode = path.lstat().st_mode
        if path.is_symlink() or not mode & OTHERS:
            return False
        path.chmod(mode & 0o7700)
    except FileNotFoundError:  # another process has put it away in the meantime
        return False
    except PermissionError:
        raise NotOurs(path) from None
    return True
