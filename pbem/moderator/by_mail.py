"""The moderator's verbs by mail: the same words as on the command line, and one answer."""

import re
import shlex
import textwrap
from contextlib import nullcontext
from functools import partial
from itertools import dropwhile

import typer

from pbem.desk.composing import letter_to_moderator
from pbem.gate import Arrival, echo
from pbem.house import Room
from pbem.inbox.incoming import Incoming
from pbem.moderator.act import Act, CannotModerate, NoCommand
from pbem.moderator.moderators_verbs import VERBS, front_end, is_about_a_game, told
from pbem.outbox.outgoing import queue
from pbem.reading import Known, read_mail
from pbem.store import GameRow, MailIn, mail_address
from pbem.wording.known_errors import sentence

WORD = "moderator"
_DASHES = re.compile(r"(^|\s)[-\u2010-\u2015]{1,2}(?=[a-z]{2})")  # what mail programs make of two dashes
_QUOTES = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'"})
_SUBJECT = re.compile(rf"(?:(?:re|fwd?|aw|wg):\s*)*(?:\[[^\]]*\]\s*)?{WORD}\s+(?P<rest>.+)", re.I)


def attend_moderator(room: Room, row: MailIn, mail: Incoming) -> None:
    """Carries out what the moderator's mail says; the answer is queued exactly once."""
    house, session, game = room.house, room.session, room.game
    act = Act(house, session, cause=row.id, mail=row)
    letter = letter_to_moderator(room)
    letter.kind, letter.to, letter.answers = "moderated", mail.sender, mail.message_id
    refusal = ""
    try:
        with house.attempt(session):  # what a refused verb had begun to write goes with it
            words, text = command_of(mail, house.settings.address)
            act.read = partial(_below, text)
            _run(act, game, words)
    except CannotModerate as why:
        refusal = str(why)
        if isinstance(why, NoCommand):
            row.why = echo.NOTHING
    if row.why == echo.NOTHING and echo.times_before(Arrival(mail, house, session)) >= echo.MOST:
        row.state, row.why = "silent", "echo"
        return
    letter.about = "nothing was done" if refusal else next(iter(act.told), "done").strip()
    if refusal:
        letter.say("Nothing was done", f"{refusal[:1].upper()}{refusal[1:].rstrip('.')}.")
    if act.told:
        letter.say("What you asked for", *act.told, exact=True)
    letter.enclosures += act.files
    letter.commands = ("moderator list", "moderator show", "moderator pause", "moderator help")
    queue(house, session, letter, f"answer/{row.id}")
    row.state = "done"


def command_of(mail: Incoming, address: str = "") -> tuple[list[str], str]:
    """The words of the command, and the text below it; what stands above it is politeness. Raises CannotModerate."""
    lines = [*dropwhile(lambda line: not line.strip(), read_mail(mail, Known(address)).lines)]
    subject = _SUBJECT.fullmatch(mail.subject)
    if subject is None:
        lines = [*dropwhile(lambda line: not _commands(line), lines)] or lines
    first = lines[0].strip() if lines else ""
    if subject is not None and not first.casefold().startswith(f"{WORD} "):
        said, text = subject["rest"], lines
    elif first:
        said, text = re.sub(rf"^{WORD}:?\s+", "", first, flags=re.I), lines[1:]
    else:
        raise NoCommand(f"your mail holds no command: write `{WORD} help`")
    if any(line.casefold().startswith(f"{WORD} ") for line in text):
        raise CannotModerate("a mail may hold one command of the moderator: send each in a mail of its own")
    try:
        words = shlex.split(_DASHES.sub(r"\1--", said).translate(_QUOTES))
    except ValueError:
        raise CannotModerate(f"a quotation mark is missing in: {said}") from None
    if not words:
        raise NoCommand(f"your mail holds no command: write `{WORD} help`")
    return words, "\n".join(text).strip()


def _commands(line: str) -> bool:
    word = line.casefold().split(maxsplit=1)[0].rstrip(":") if line.strip() else ""
    return word in (WORD, "help", *VERBS)


def _run(act: Act, game: GameRow, words: list[str]) -> None:
    verb, rest = words[0].casefold(), words[1:]
    if verb == "help" or "--help" in rest:
        _help(act, rest[0] if verb == "help" and rest else "" if verb == "help" else verb)
        return
    if not is_about_a_game(_known(verb)):
        if mail_address(act.house.settings.moderator) != (act.mail.sender if act.mail else ""):
            raise CannotModerate(f"`{verb}` is for the moderator of the whole service")
    else:
        named = act.session.get(GameRow, rest[0].casefold()) if rest else None
        if named is None:
            rest = [game.id, *rest]
        elif act.mail is None or act.mail.sender not in (named.moderator, mail_address(act.house.settings.moderator)):
            raise CannotModerate(f"{named.id} is not yours to moderate")
    try:
        command = typer.main.get_command(front_end(lambda _: nullcontext(act)))
        command.main(args=[verb, *rest], prog_name=WORD, standalone_mode=False)
    except CannotModerate:
        raise
    except Exception as error:
        said = None if isinstance(error, OSError) else sentence(error)
        if said is None:
            raise
        raise CannotModerate(said) from None


def _below(text: str, source: str) -> str:
    """What stood below the verb. Raises CannotModerate."""
    if source != "-":
        raise CannotModerate("a mail cannot name a file: write below the first line")
    return text


def _known(verb: str) -> str:
    if verb not in VERBS:
        raise NoCommand(f"there is no verb {verb!r}; there is {', '.join(VERBS)}, and help")
    return verb


def _help(act: Act, verb: str) -> None:
    """One verb in full, or each in a sentence."""
    if verb:
        act.say(*told(_known(verb)).replace("pbem game", WORD).splitlines())
        return
    for name in VERBS:
        said = told(name).partition("\n\n")[0].replace("\n", " ")
        act.say(*textwrap.wrap(f"{WORD} {name}: {said}", 76, subsequent_indent="    "))
