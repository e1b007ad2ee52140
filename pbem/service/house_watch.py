"""Trouble with disk or database, or with consent to use the mailbox: in the journal at once, and to the moderator."""

from datetime import datetime, timedelta

import structlog

from pbem.clock.time_zones import in_utc
from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.letters import Letter
from pbem.mail_servers.oauth.consent_keeper import Consent, ConsentKeeper, ends_soon
from pbem.mail_servers.oauth.troubles import ConsentEnded, NoConsent, OAuthTrouble, ProviderRefused
from pbem.outbox.outgoing import queue
from pbem.store.database_troubles import HouseTrouble, Locked, NearlyFull

PASSING = timedelta(minutes=5)  # a lock that does not last longer is no news

_log = structlog.get_logger()


class HouseWatch:
    """What is wrong with the house now, and since when."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.trouble: HouseTrouble | None = None
        self.since: datetime = house.clock()
        self._again = False  # it was met in this round, too

    def look(self) -> None:
        """A new round: whether there is room to begin anything."""
        self._again = False
        low = nearly_full(self.house.settings)
        if low is not None:
            self.meet(low)

    def meet(self, trouble: HouseTrouble) -> None:
        if self.trouble is None:
            self.since = self.house.clock()
        if type(self.trouble) is not type(trouble):
            _log.warning("in trouble", why=str(trouble))
        self.trouble, self._again = trouble, True

    @property
    def is_in_the_way(self) -> bool:
        """Whether this round has met it."""
        return self._again

    @property
    def may_send(self) -> bool:
        """Not when a letter that went out could not be marked as sent: it would go out again and again."""
        return not self._again or isinstance(self.trouble, NearlyFull)

    def warn(self) -> int:
        """While there is still room for a letter the moderator is told; gives how many."""
        return self._tell("It takes in no mail", f"{self.trouble}.", STAYS) if self.trouble is not None else 0

    def end(self) -> int:
        """The trouble is over, and the moderator is told of it; gives how many letters."""
        trouble, lasted = self.trouble, self.house.clock() - self.since
        if trouble is None or self._again:
            return 0
        told = 0
        if not isinstance(trouble, Locked) or lasted > PASSING:
            said = f"From {in_utc(self.since)} to {in_utc(self.house.clock())} {trouble.was}."
            told = self._tell("It was in trouble, and goes on", said, STAYS, "There is nothing that you must do.")
        _log.info("out of trouble", was=trouble.was)
        self.trouble = None
        return told

    def _tell(self, heading: str, *lines: str) -> int:
        letter = Letter("trouble", self.house.settings.moderator, "trouble with disk or database")
        letter.say(f"The service: {heading[0].lower()}{heading[1:]}", *lines)
        with self.house.database.begin() as session:
            return int(queue(self.house, session, letter, f"house/{heading}/{self.since.isoformat()}") is not None)


STAYS = "Nothing is lost by it: mail waits in the mailbox, our letters in the outbox, and no deadline runs meanwhile."


KEPT = "No mail is lost: what comes stays in the mailbox, and our letters stay in the outbox."


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
        f"Consent was not renewed on {in_utc(house.clock())}: {trouble}.",
        "On the service's machine, run:",
        f"    pbem init --oauth {consent.provider.name}",
        KEPT,
        "Where letters are sent through the same provider, this one too could go out only after that.",
    )
    return letter


def _ends(house: House, consent: Consent, end: datetime) -> Letter:
    letter = Letter("notice", house.settings.moderator, "Consent to the mailbox runs out")
    letter.say(
        "Consent to the mailbox runs out",
        f"{consent.provider.title} lets the service into its mailbox until {in_utc(end)}.",
        "Give consent again before that; nothing stops meanwhile. On the service's machine, run:",
        f"    pbem init --oauth {consent.provider.name}",
        f"Otherwise the service is shut out then. {KEPT}",
    )
    return letter
