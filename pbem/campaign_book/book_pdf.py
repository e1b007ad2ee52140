"""The book on paper: Chromium prints the page, where there is one."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE = 180  # seconds


class NotPrinted(RuntimeError):
    """No PDF came of it, and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no PDF was made: {why}. Open book.html in a browser and print it")


def browser() -> str | None:
    """The browser that prints, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def print_pdf(page: Path, to: Path) -> None:
    """Prints a page that needs nothing from the network. Raises NotPrinted."""
    program = browser()
    if program is None:
        raise NotPrinted("Chromium is not installed")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            program, "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-extensions", "--no-pdf-header-footer",
            f"--user-data-dir={profile}", f"--print-to-pdf={to}", page.resolve().as_uri(),
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # root has no sandbox; the page is our own and fetches nothing
        try:
            done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NotPrinted(f"{Path(program).name} did not do it ({problem})") from None
    if done.returncode or not to.exists():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NotPrinted(f"{Path(program).name} failed" + (f" ({said[-1]})" if said else ""))
