"""A game taken out of the house: for its player, for anybody, or for the shelf."""

from __future__ import annotations

import io
import zipfile

from sqlmodel import select

from engine.campaign import Campaign
from engine.canonical import canonical
from pbem.desk.room import Room
from pbem.letters import Enclosure
from pbem.moderator.act import Act
from pbem.moderator.cannot_moderate import CannotModerate, WrongState
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.store import MailIn, MailOut
from pbem.store.database import utc

ONLOOKER = "onlooker"


def export(act: Act, game: str, reader: str = "", *, pictures: bool = True) -> tuple[str, bytes]:
    """A packed copy: the whole log, or what one side or an onlooker may have of it. Gives its name and bytes."""
    room = act.room(game)
    if not room.begun or not room.house.log_path(room.game.id).exists():
        raise WrongState(room.game.id, room.game.state, "there is no log of it")
    who = ONLOOKER if reader == ONLOOKER else act.seat(room, reader).side if reader else ""
    name = f"{room.game.id}{'-' if who else ''}{who}.zip"
    return name, _packed(act, room, who, pictures)


def export_by_mail(act: Act, game: str, reader: str = "") -> None:
    """The same, enclosed in the answer."""
    name, data = export(act, game, reader)
    act.files.append(Enclosure(name, "application/zip", data))
    act.say(f"{name} is enclosed, {len(data):,} bytes.")


def _packed(act: Act, room: Room, who: str, pictures: bool) -> bytes:
    campaign, out = room.campaign, io.BytesIO()
    at = utc(act.now).timetuple()[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:

        def put(name: str, data: bytes) -> None:
            pack.writestr(zipfile.ZipInfo(f"{room.game.id}/{name}", at), data)

        side = None if who == ONLOOKER else who
        lines = campaign.export(side) if who else campaign.lines()
        put("log.jsonl", b"".join(canonical(line) + b"\n" for line in lines))
        if pictures:
            put("replay.html", _replay(campaign, side or None, whole=not who))
        if not who:
            put("mail.txt", "\n".join(_ledger(act, room.game.id)).encode() + b"\n")
    return out.getvalue()


def _replay(campaign: Campaign, reader: str | None, *, whole: bool) -> bytes:
    # The moderator's copy of a running game is one of an onlooker: a page lies about more easily than a log.
    copy = copy_for(campaign.lines(), None if whole else reader, campaign.secret)
    return page(campaign.game, copy).encode()


def _ledger(act: Act, game: str) -> list[str]:
    """All mail of the game, in its order, without what it said."""
    came = act.session.exec(select(MailIn).where(MailIn.game_id == game)).all()
    went = act.session.exec(select(MailOut).where(MailOut.game_id == game)).all()
    entries = [(utc(m.received), f"in   {m.state:8} {m.sender}: {m.subject}") for m in came]
    entries += [(utc(m.queued), f"out  {m.state:8} {m.to}: {m.subject}") for m in went]
    return [f"{at:%Y-%m-%d %H:%M}  {text}" for at, text in sorted(entries)]


def archive(act: Act, game: str) -> None:
    """A game that is over is packed into the archive folder and leaves the list; nothing is deleted."""
    room = act.room(game)
    if room.game.state not in ("finished", "abandoned"):
        raise WrongState(room.game.id, room.game.state, "it cannot be archived before it is closed")
    if room.game.settings.get("archived"):
        raise CannotModerate(f"{room.game.id} is archived already")
    folder = act.house.settings.home / "archive"
    folder.mkdir(exist_ok=True)
    if act.house.log_path(room.game.id).exists():
        name, data = export(act, room.game.id)
        (folder / name).write_bytes(data)
        act.say(f"{name} lies in the archive folder.")
    room.game.settings = {**room.game.settings, "archived": True}
    act.session.add(room.game)
    act.say(f"{room.game.id} is archived.")
