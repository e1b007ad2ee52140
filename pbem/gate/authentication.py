"""Whether the mail comes from where its sender's address says, as strictly as the settings ask."""

import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage

import authres  # type: ignore[import-untyped]
import dkim  # type: ignore[import-untyped]

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.inbox.incoming import Incoming

LookUp = Callable[..., bytes | None]  # (name, timeout) -> a TXT record
MOST_SIGNATURES = 4  # each may cost a question to the DNS
PROOFS = {"dkim": ("header.d", "header.i"), "dmarc": ("header.from",), "spf": ("smtp.mailfrom",)}
SAY = (
    "A mail with your address as its sender reached us, but nothing shows that it comes from {domain}: {why}. "
    "Nothing in it was carried out. If you wrote it, send it by your provider's own server, not through another one; "
    "if that does not help, write to the moderator at {moderator}. If you did not, you need do nothing."
)


def judge(arrival: Arrival, look_up: LookUp = dkim.get_txt) -> TurnedAway | None:
    """The answer goes to the address in From: to the one who was imitated, never to who did it."""
    mail, house = arrival.mail, arrival.house
    policy = house.settings.limits.authentication
    if policy == "off" or mail.message is None:
        return None
    domain = mail.sender.rpartition("@")[2]
    if policy == "trusted header":
        why = _by_header(mail.message, domain, house.settings.limits.trusted_host)
    else:
        dns = Dns(look_up)
        why = _by_signature(mail, domain, dns)
        if why and dns.trouble:
            return TurnedAway("authentication", "shunt", f"the DNS could not be asked about {domain}: {dns.trouble}")
    if not why:
        return None
    say = SAY.format(domain=domain, why=why, moderator=house.settings.moderator)
    return TurnedAway("authentication", "answer", say, {"policy": policy, "why": why})


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
    """Only the topmost block of the trusted host's own headers counts: a forger's stand below it."""
    found = False
    for results in _trusted(message, host):
        found = True
        if any(_passes(result, domain) for result in results):
            return ""
    return "no check of that domain was passed" if found else "our own mail server left no result of its checks"


def _trusted(message: EmailMessage, host: str) -> Iterator[list[authres.AuthenticationResult]]:
    begun = False
    for name, value in message.items():
        if begun and name.lower() == "received":
            return
        if name.lower() != "authentication-results" or not host:
            continue
        try:
            header = authres.AuthenticationResultsHeader.parse(f"{name}: {' '.join(str(value).split())}")
        except authres.AuthResError:
            continue
        if header.authserv_id.lower() == host.lower():
            begun = True
            yield header.results


def _passes(result: authres.AuthenticationResult, domain: str) -> bool:
    if result.result != "pass":
        return False
    said = {f"{found.type}.{found.name}": found.value or "" for found in result.properties}
    signer = next((said[name] for name in PROOFS.get(result.method, ()) if said.get(name)), "")
    return speaks_for(signer.rpartition("@")[2], domain)
