"""Whether the mail comes from where its sender's address says, as strictly as the settings ask and a mailbox allows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

import authres  # type: ignore[import-untyped]
import dkim  # type: ignore[import-untyped]

from pbem.gate.arrival import SENTENCES, Arrival, TurnedAway
from pbem.house.settings import EMBEDDED_HOST, Limits
from pbem.inbox.incoming import Incoming
from pbem.store import mail_address

LookUp = Callable[..., bytes | None]  # (name, timeout) -> a TXT record
MOST_SIGNATURES = 4  # each may cost a question to the DNS
_BY = re.compile(r"\bby\s+([A-Za-z0-9.-]+)")
PROOFS = {"dkim": ("header.d", "header.i"), "dmarc": ("header.from",), "spf": ("smtp.mailfrom",)}


def judge(arrival: Arrival, look_up: LookUp = dkim.get_txt) -> TurnedAway | None:
    """The answer goes to the address in From: to the one who was imitated, never to who did it."""
    mail, house = arrival.mail, arrival.house
    policy = house.settings.limits.authentication
    if policy == "off" or mail.message is None:
        return None
    domain, dns = mail.sender.rpartition("@")[2], Dns(look_up)
    why = doubt(arrival, dns)
    if not why:
        return None
    if dns.trouble:
        return TurnedAway("authentication", "shunt", f"the DNS could not be asked about {domain}: {dns.trouble}")
    about = {"domain": domain, "why": why, "moderator": house.settings.moderator}
    return TurnedAway.told("authentication", "answer", policy=policy, **about)


def doubt(arrival: Arrival, dns: Dns | None = None) -> str:
    """Why it is not proved that the mail comes from its sender, by the best proof that there is; empty if it is."""
    mail, settings = arrival.mail, arrival.house.settings
    domain = mail.sender.rpartition("@")[2]
    if mail.message is None:
        return "it could not be taken apart"
    if settings.limits.authentication == "trusted header":
        return _by_header(mail.message, domain, settings.limits.trusted_host)
    if settings.limits.authentication == "dkim":
        return _by_signature(mail, domain, dns or Dns(dkim.get_txt))
    if settings.own_servers:
        return _by_login(mail.message, mail.sender)
    return "nobody vouches for senders here"


def speaks_for(signer: str, domain: str) -> bool:
    """A domain speaks for itself and for what lies below it; never for what lies above or beside it."""
    signer, domain = signer.strip(".").lower(), domain.strip(".").lower()
    return bool(signer) and (signer == domain or ("." in signer and domain.endswith(f".{signer}")))


class Dns:
    """Asks the DNS, and remembers when it could not."""

    def __init__(self, look_up: LookUp) -> None:
        self.look_up, self.trouble = look_up, ""

    def __call__(self, name: bytes, timeout: int = 5) -> bytes | None:
        try:
            return self.look_up(name, timeout=timeout)
        except Exception as problem:  # dkimpy would take it for a bad signature
            self.trouble = type(problem).__name__
            return None


def _by_signature(mail: Incoming, domain: str, dns: Dns) -> str:
    assert mail.message is not None
    count = len(mail.message.get_all("DKIM-Signature", []))
    if not count:
        return "it has no DKIM signature"
    for number, header in enumerate(mail.message.get_all("DKIM-Signature", [])[:MOST_SIGNATURES]):
        tags = dict(re.findall(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)", re.sub(r"\s", "", str(header))))
        if "l" in tags or not speaks_for(tags.get("d", ""), domain):
            continue  # one that leaves the end of the mail open to additions proves nothing about orders
        try:
            if dkim.DKIM(mail.raw).verify(number, dnsfunc=dns):
                return ""
        except dkim.DKIMException:
            continue
    return "no DKIM signature of that domain holds"


def _by_header(message: EmailMessage, domain: str, host: str) -> str:
    results = stamp_of(message, host)
    if results is None:
        return "our own mail server left no result of its checks"
    return "" if any(_passes(result, domain) for result in results) else "no check of that domain was passed"


def _by_login(message: EmailMessage, sender: str) -> str:
    """Our own servers write down who logged in, on top of everything."""
    for result in stamp_of(message, EMBEDDED_HOST) or ():
        said = {f"{found.type}.{found.name}": found.value or "" for found in result.properties}
        if (result.method, result.result) == ("auth", "pass") and mail_address(said.get("smtp.auth", "")) == sender:
            return ""
    return "our own mail server left no word of a login"


def stamp_of(message: EmailMessage, host: str) -> list[authres.AuthenticationResult] | None:
    """The results in the topmost stamp of a host: what stands below it any forger may have written.

    Nor is one believed that lies below the Received of another host, when the mail had been in the trusted hands above.
    """
    in_its_hands = False
    for name, value in message.items():
        text = " ".join(str(value).split())
        if name.lower() == "received":
            by = _BY.search(text)
            its = by is not None and _organisation(by[1]) == _organisation(host)
            if in_its_hands and not its:
                return None
            in_its_hands = in_its_hands or its
        elif name.lower() == "authentication-results" and host:
            header = read_stamp(text)
            if header is not None and header.authserv_id.lower() == host.lower():
                return list(header.results)
    return None


def read_stamp(text: str) -> authres.AuthenticationResultsHeader | None:
    """An Authentication-Results taken apart, if it can be."""
    try:
        return authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
    except authres.AuthResError:
        return None


def _organisation(host: str) -> str:
    """A host's domain, by its last two names: near enough to know the servers of one house by."""
    return ".".join(host.strip(".").lower().split(".")[-2:])


def _passes(result: authres.AuthenticationResult, domain: str) -> bool:
    if result.result != "pass":
        return False
    said = {f"{found.type}.{found.name}": found.value or "" for found in result.properties}
    signer = next((said[name] for name in PROOFS.get(result.method, ()) if said.get(name)), "")
    return speaks_for(signer.rpartition("@")[2], domain)


@dataclass(frozen=True)
class Vouching:
    """The strongest setting that the mails of a mailbox bear out."""

    mails: int  # that were looked at
    policy: str = "off"  # as `limits.authentication` calls it
    host: str = ""  # whose stamp it is, for "trusted header"
    bear_it: int = 0  # mails that have it

    def in_words(self) -> str:
        words: str = SENTENCES["vouching"][self.policy if self.mails else "no mail"]
        return words.format(**vars(self))

    def settings(self) -> str:
        """The lines of the settings file."""
        lines = [f'authentication = "{self.policy}"']
        return "\n".join([*lines, f'trusted_host = "{self.host}"'] if self.host else lines)

    def is_better_than(self, limits: Limits) -> bool:
        """Whether the settings ask for less than could be had, or for the word of a host that gives none."""
        if not self.mails or limits.authentication == "dkim":
            return False
        if limits.authentication == "off":
            return self.policy != "off"
        return (self.policy, self.host) != ("trusted header", limits.trusted_host.lower())


def vouching(heads: Sequence[EmailMessage]) -> Vouching:
    """By the stamp on top of each mail: what stands below it the sender may have written. Half of them are enough."""
    came = [head for head in heads if "Received" in head]
    stamps = Counter(host for head in came if (host := _on_top(head)))
    signed = sum("DKIM-Signature" in head for head in came)
    host, number = next(iter(stamps.most_common(1)), ("", 0))
    if number * 2 > len(came):
        return Vouching(len(came), "trusted header", host, number)
    if signed * 2 > len(came):
        return Vouching(len(came), "dkim", "", signed)
    return Vouching(len(came))


def _on_top(head: EmailMessage) -> str:
    """Whose stamp is the topmost, if it tells of a check that proves anything."""
    stamp = read_stamp(" ".join(str(head.get("Authentication-Results", "")).split()))
    if stamp is None or not any(result.method in PROOFS for result in stamp.results):
        return ""
    return str(stamp.authserv_id).lower()
