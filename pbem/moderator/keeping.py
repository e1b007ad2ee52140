"""A game taken out of the house: for its player, for anybody, or for the shelf."""

import io
import zipfile
from pathlib import Path
from typing import Annotated

import typer
from sqlmodel import select

from engine.log import as_written
from engine.log.sidecar import replace_file
from pbem.campaign_book.book_page import book_page
from pbem.desk.last_letters import NAME, book_of, people_of
from pbem.house import Room
from pbem.house.owner_only import private_folder
from pbem.letters import Enclosure
from pbem.moderator.act import OVER, Act, CannotModerate, GameId, WrongState
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.store import MailIn, MailOut, utc

ONLOOKER = "onlooker"


def export(
    act: Act,
    game: GameId,
    reader: Annotated[
        str, typer.Option("--for", metavar="SIDE", help="Only what this side, or `onlooker`, may have.")
    ] = "",
    to: Annotated[str, typer.Option("--to", metavar="FILE", help="Where to put it; by mail it is enclosed.")] = "",
) -> None:
    """Pack a game's log, replay, list of mail, and its book when it is over, into one file.

    Example: pbem game export ID --to game.zip
    """
    if act.mail is not None and to:
        raise CannotModerate("a mail cannot name a file: the export is enclosed in the answer")
    name, data = packed(act, game, reader)
    if act.mail is not None:
        act.files.append(Enclosure(name, "application/zip", data))
        act.say(f"{name} is enclosed, {len(data):,} bytes.")
    else:
        place = Path(to or name)
        place.write_bytes(data)
        act.say(f"{place} is written, {len(data):,} bytes.")


def packed(act: Act, game: str, reader: str = "") -> tuple[str, bytes]:
    """The whole log, or what one side or an onlooker may have of it. Gives the copy's name and bytes."""
    room = act.room(game)
    if not room.begun or not room.house.cabinet.has_log(act.session, room.game.id):
        raise WrongState(room.game.id, room.game.state, "there is no log of it")
    who = ONLOOKER if reader == ONLOOKER else act.seat(room, reader).side if reader else ""
    name = f"{room.game.id}{'-' if who else ''}{who}.zip"
    return name, _zipped(act, room, who)


def _zipped(act: Act, room: Room, who: str) -> bytes:
    campaign, out = room.campaign, io.BytesIO()
    at = utc(act.now).timetuple()[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:

        def put(name: str, data: bytes) -> None:
            pack.writestr(zipfile.ZipInfo(f"{room.game.id}/{name}", at), data)

        side = None if who == ONLOOKER else who
        lines = campaign.export(side) if who else campaign.lines()
        put("log.jsonl", as_written(lines))
        # The moderator's page of a running game is an onlooker's: a page lies about more easily than a log.
        put("replay.html", page(campaign.game, copy_for(campaign.lines(), side or None, campaign.secret)).encode())
        if room.game.state == "finished" and campaign.revealed and book_of(room) is not None:
            copy = copy_for(campaign.lines(), None, campaign.secret)
            put(NAME, book_page(campaign.game, copy, people_of(room)).encode())
        if not who:
            put("mail.txt", "\n".join(_ledger(act, room.game.id)).encode() + b"\n")
    return out.getvalue()


def _ledger(act: Act, game: str) -> list[str]:
    """All mail of the game, in its order, without what it said."""
    came = act.session.exec(select(MailIn).where(MailIn.game_id == game)).all()
    went = act.session.exec(select(MailOut).where(MailOut.game_id == game)).all()
    entries = [(utc(m.received), f"in   {m.state:8} {m.sender}: {m.subject}") for m in came]
    entries += [(utc(m.queued), f"out  {m.state:8} {m.to}: {m.subject}") for m in went]
    return [f"{at:%Y-%m-%d %H:%M}  {act.house.without_tokens(text)}" for at, text in sorted(entries)]


def archive(act: Act, game: GameId) -> None:
    """Pack a game that is over into the archive folder, and take it off the list. Nothing is deleted.

    Example: pbem game archive ID
    """
    room = act.room(game, (*OVER, "lapsed"), "it cannot be archived before it is closed")
    if room.duel is not None and room.begun and not room.duel.closed:
        raise CannotModerate(f"the duel of {room.game.id} is not over: both games are archived when it is")
    if room.game.settings.get("archived"):
        raise CannotModerate(f"{room.game.id} is archived already")
    folder = private_folder(act.house.settings.home / "archive")
    if act.house.cabinet.has_log(act.session, room.game.id):
        name, data = packed(act, room.game.id)
        replace_file(folder / name, data)
        act.say(f"{name} lies in the archive folder.")
    room.game.settings = {**room.game.settings, "archived": True}
    act.say(f"{room.game.id} is archived.")
