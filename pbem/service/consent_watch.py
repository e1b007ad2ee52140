"""Consent to use the mailbox, watched: renewed in time; the moderator is told before it ends, and when it has."""

from datetime import datetime

import structlog

from pbem.house import House
from pbem.letters import Letter
from pbem.mail_servers.oauth.consent_file import Consent
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.mail_servers.oauth.consent_state import ends_soon
from pbem.mail_servers.oauth.troubles import ConsentEnded, NoConsent, OAuthTrouble, ProviderRefused
from pbem.outbox.outgoing import queue

STAYS = "No mail is lost: what comes stays in the mailbox, and our letters stay in the outbox."

_log = structlog.get_logger()


def watch_consent(house: House, keeper: ConsentKeeper) -> int:
    """Whatever is to be told of the consent is queued, once; gives how many letters."""
    trouble = keeper.keep_fresh()
    try:
        consent = keeper.kept()
    except NoConsent:
        return 0
    if isinstance(trouble, ConsentEnded | ProviderRefused):
        why = "ended" if isinstance(trouble, ConsentEnded) else trouble.error
        key = f"consent/{why}/{consent.granted.isoformat()}"
        return _tell(house, _shut_out(house, consent, trouble), key, str(trouble))
    if end := ends_soon(consent, house.settings.oauth, house.clock()):
        key = f"consent/ends/{consent.granted.isoformat()}/{end:%Y-%m-%d}"
        return _tell(house, _ends(house, consent, end), key, f"consent ends at {end:%Y-%m-%d %H:%M} UTC")
    return 0


def _tell(house: House, letter: Letter, key: str, why: str) -> int:
    with house.database.begin() as session:
        told = queue(house, session, letter, key)
    if told is not None:
        _log.warning("consent to the mailbox", why=why)
    return int(told is not None)


def _shut_out(house: House, consent: Consent, trouble: OAuthTrouble) -> Letter:
    """It goes out by the relay if that opens without consent; otherwise it lies in the outbox until the next one."""
    letter = Letter("notice", house.settings.moderator, "Shut out of the mailbox")
    letter.say(
        "The service is shut out of its mailbox",
        f"Consent was not renewed on {_moment(house.clock())}: {trouble}.",
        "On the service's machine, run:",
        f"    pbem init --oauth {consent.provider.name}",
        STAYS,
        "Where letters are sent through the same provider, this one too could go out only after that.",
    )
    return letter


def _ends(house: House, consent: Consent, end: datetime) -> Letter:
    letter = Letter("notice", house.settings.moderator, "Consent to the mailbox runs out")
    letter.say(
        "Consent to the mailbox runs out",
        f"{consent.provider.title} lets the service into its mailbox until {_moment(end)}.",
        "Give consent again before that; nothing stops meanwhile. On the service's machine, run:",
        f"    pbem init --oauth {consent.provider.name}",
        f"Otherwise the service is shut out then. {STAYS}",
    )
    return letter


def _moment(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y, %H:%M} UTC"
