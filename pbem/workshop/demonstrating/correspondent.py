"""Somebody with a mailbox and nothing else: writes by SMTP, reads by IMAP, as any mail program does."""

from __future__ import annotations

import smtplib
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from imapclient import IMAPClient

from pbem.house import now

LOOPBACK = "127.0.0.1"
PATIENCE = 30  # seconds


@dataclass
class Correspondent:
    """One account on the embedded servers; a context, as it holds two connections."""

    address: str
    password: str
    smtp_port: int
    imap_port: int
    name: str = ""
    seen: int = 0  # the UID of the last letter that was read
    _smtp: smtplib.SMTP | None = field(default=None, repr=False)
    _imap: IMAPClient | None = field(default=None, repr=False)

    def __enter__(self) -> Correspondent:
        self._smtp = smtplib.SMTP(LOOPBACK, self.smtp_port, local_hostname="localhost", timeout=PATIENCE)
        self._smtp.login(self.address, self.password)
        self._imap = IMAPClient(LOOPBACK, self.imap_port, ssl=False, timeout=PATIENCE)
        self._imap.login(self.address, self.password)
        return self

    def __exit__(self, *_: object) -> None:
        if self._smtp is not None:
            self._smtp.close()
        if self._imap is not None:
            self._imap.shutdown()

    def reply(self, letter: EmailMessage, lines: list[str]) -> EmailMessage:
        """An answer as a mail program makes it: to the reply address, with the thread's headers."""
        mail = self.compose(str(letter.get("Reply-To") or letter["From"]), str(letter["Subject"]), lines)
        mail["In-Reply-To"] = str(letter["Message-ID"])
        mail["References"] = f"{letter.get('References', '')} {letter['Message-ID']}".strip()
        return mail

    def compose(self, to: str, subject: str, lines: list[str]) -> EmailMessage:
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{self.name} <{self.address}>" if self.name else self.address
        mail["To"] = to
        mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
        mail["Date"] = format_datetime(now())
        mail["Message-ID"] = make_msgid(domain=self.address.partition("@")[2])
        mail.set_content("\n".join(lines) + "\n")
        return mail

    def send(self, mail: EmailMessage) -> None:
        assert self._smtp is not None
        self._smtp.send_message(mail)

    def new_letters(self) -> list[EmailMessage]:
        """What has come since he last looked, oldest first."""
        assert self._imap is not None
        self._imap.select_folder("INBOX")
        uids = sorted(uid for uid in self._imap.search(["UID", f"{self.seen + 1}:*"]) if uid > self.seen)
        raw = [self._imap.fetch([uid], ["BODY[]"])[uid][b"BODY[]"] for uid in uids]
        self.seen = max(uids, default=self.seen)
        return [message_from_bytes(letter, policy=policy.default) for letter in raw]
