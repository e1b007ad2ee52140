"""Trouble with disk or database: told in the journal at once, to the moderator as soon as a letter can be written."""

from datetime import datetime, timedelta

import structlog

from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.letters import Letter
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
            said = f"From {_moment(self.since)} to {_moment(self.house.clock())} {trouble.was}."
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


def _moment(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y, %H:%M} UTC"
