"""Who has a mailbox on the embedded server, and his password's hash."""

import hashlib
import hmac
import json
import secrets
from pathlib import Path

from engine.log.locking import held
from engine.log.sidecar import replace_file
from pbem.house.owner_only import private_folder
from pbem.store import mail_address, without_tag

ROUNDS = 2_000  # enough: we make the passwords ourselves, of 80 random bits


class NoSuchAccount(Exception):
    """Nobody here has this address."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} has no mailbox here")
        self.address = address


class Accounts:
    """The addresses with a mailbox, in a file that the command line may change while the servers run."""

    def __init__(self, folder: Path) -> None:
        private_folder(folder)
        self._file = folder / "accounts.json"
        self._read_at: tuple[int, int] = (0, 0)
        self._hashes: dict[str, str] = {}

    def add(self, address: str) -> str | None:
        """Opens a mailbox and gives its password, this once; None if the address has one already."""
        return self._new_password(address, there=False)

    def renew(self, address: str) -> str:
        """A new password for a mailbox. Raises NoSuchAccount."""
        password = self._new_password(address, there=True)
        if password is None:
            raise NoSuchAccount(mail_address(address))
        return password

    def admits(self, address: str, password: str) -> bool:
        salt, _, expected = self._current().get(mail_address(address), "").partition(":")
        return hmac.compare_digest(_hash(password, salt), expected)

    def owner(self, recipient: str) -> str | None:
        """Whose mailbox an address belongs to: what stands behind a + is the owner's own business."""
        hashes = self._current()
        return next((one for one in (mail_address(recipient), without_tag(recipient)) if one in hashes), None)

    def addresses(self) -> list[str]:
        return sorted(self._current())

    def _current(self) -> dict[str, str]:
        try:
            seen = self._file.stat()
        except FileNotFoundError:
            return {}
        if (seen.st_mtime_ns, seen.st_ino) != self._read_at:
            self._hashes = json.loads(self._file.read_text("utf-8"))
            self._read_at = seen.st_mtime_ns, seen.st_ino
        return self._hashes

    def _new_password(self, address: str, *, there: bool) -> str | None:
        """One that is easy to type and hard to guess, kept as its hash, for whom is (or is not) there already."""
        address, letters = mail_address(address), "abcdefghjkmnpqrstuvwxyz23456789"
        with held(self._file.with_suffix(".lock")):
            hashes = dict(self._current())
            if (address in hashes) is not there:
                return None
            password = "-".join("".join(secrets.choice(letters) for _ in range(4)) for _ in range(4))
            salt = secrets.token_hex(8)
            hashes[address] = f"{salt}:{_hash(password, salt)}"
            replace_file(self._file, json.dumps(hashes, indent=1, sort_keys=True).encode())
        return password


def _hash(password: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), ROUNDS).hex()
