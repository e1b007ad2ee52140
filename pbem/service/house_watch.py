"""Trouble with disk or database, or with consent to use the mailbox: in the journal at once, and to the moderator."""

from datetime import datetime, timedelta

import structlog

from pbem.clock.time_zones import in_utc
from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.letters import Letter
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper, ends_soon
from pbem.mail_servers.oauth.troubles import ConsentEnded, NoConsent, ProviderRefused
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
        self.is_in_the_way = False  # whether this round has met it
        self.told: set[type[HouseTrouble]] = set()  # what the journal has of it: one kind may come and go with another

    def look(self) -> None:
        """A new round: whether there is room to begin anything."""
        self.is_in_the_way = False
        low = nearly_full(self.house.settings)
        if low is not None:
            self.meet(low)

    def meet(self, trouble: HouseTrouble) -> None:
        if self.trouble is None:
            self.since = self.house.clock()
        if type(trouble) not in self.told:
            _log.warning("in trouble", why=str(trouble))
        self.told.add(type(trouble))
        self.trouble, self.is_in_the_way = trouble, True

    @property
    def may_send(self) -> bool:
        """Not when a letter that went out could not be marked as sent: it would go out again and again."""
        return not self.is_in_the_way or isinstance(self.trouble, NearlyFull)

    def warn(self) -> int:
        """While there is still room for a letter the moderator is told; gives how many."""
        return self._tell("It takes in no mail", f"{self.trouble}.", STAYS) if self.trouble is not None else 0

    def end(self) -> int:
        """The trouble is over, and the moderator is told of it; gives how many letters."""
        trouble, lasted = self.trouble, self.house.clock() - self.since
        if trouble is None or self.is_in_the_way:
            return 0
        told = 0
        if not isinstance(trouble, Locked) or lasted > PASSING:
            said = f"From {in_utc(self.since)} to {in_utc(self.house.clock())} {trouble.was}."
            told = self._tell("It was in trouble, and goes on", said, STAYS, "There is nothing that you must do.")
        _log.info("out of trouble", was=trouble.was)
        self.trouble = None
        self.told.clear()
        return told

    def _tell(self, heading: str, *lines: str) -> int:
        key = f"house/{heading}/{self.since.isoformat()}"
        letter = Letter("trouble", self.house.settings.moderator, "trouble with disk or database")
        return int(_told(self.house, letter, key, f"The service: {heading[0].lower()}{heading[1:]}", *lines))


STAYS = "Nothing is lost by it: mail waits in the mailbox, our letters in the outbox, and no deadline runs meanwhile."
KEPT = "No mail is lost: what comes stays in the mailbox, and our letters stay in the outbox."


def watch_consent(house: House, keeper: ConsentKeeper) -> int:
    """Whatever is to be told of the consent is queued, once; gives how many letters.

    That it ended goes out by the relay if that opens without it; otherwise it lies in the outbox until the next one.
    """
    trouble = keeper.keep_fresh()
    try:
        consent = keeper.kept()
    except NoConsent:
        return 0
    granted, run = consent.granted.isoformat(), f"    pbem init --oauth {consent.provider.name}"
    if isinstance(trouble, ConsentEnded | ProviderRefused):
        key = f"consent/{'ended' if isinstance(trouble, ConsentEnded) else trouble.error}/{granted}"
        letter, why = Letter("notice", house.settings.moderator, "Shut out of the mailbox"), str(trouble)
        lines = [
            "The service is shut out of its mailbox",
            f"Consent was not renewed on {in_utc(house.clock())}: {trouble}.",
            "On the service's machine, run:",
            run,
            KEPT,
            "Where letters are sent through the same provider, this one too could go out only after that.",
        ]
    elif end := ends_soon(consent, house.settings.oauth, house.clock()):
        key, why = f"consent/ends/{granted}/{end:%Y-%m-%d}", f"consent ends at {end:%Y-%m-%d %H:%M} UTC"
        letter = Letter("notice", house.settings.moderator, "Consent to the mailbox runs out")
        lines = [
            "Consent to the mailbox runs out",
            f"{consent.provider.title} lets the service into its mailbox until {in_utc(end)}.",
            "Give consent again before that; nothing stops meanwhile. On the service's machine, run:",
            run,
            f"Otherwise the service is shut out then. {KEPT}",
        ]
    else:
        return 0
    if told := _told(house, letter, key, *lines):
        _log.warning("consent to the mailbox", why=why)
    return int(told)


def _told(house: House, letter: Letter, key: str, heading: str, *lines: str) -> bool:
    """Whether this letter to the moderator is new."""
    letter.say(heading, *lines)
    with house.database.begin() as session:
        return queue(house, session, letter, key) is not None
