"""Files that go with a letter: the report in full, and what is drawn when it is sent, by its description."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.hexes import Hex
from pbem.house.room import Room
from pbem.letters import REPORT, Enclosure, Letter
from pbem.report.dispatch import Dispatch
from pbem.report.illustrating import with_room_for_pictures
from pbem.report.making import Moment
from pbem.report.printing import as_text
from pbem.report.report import LetterPicture
from pbem.store import Player

NONE, SMALL, ALL = "none", "small", "all"  # what the moderator may say of the pictures of a game
_WISHES = {"off": NONE, "small": SMALL}
_KINDS = {"png": "image/png", "html": "text/html", "gz": "application/gzip", "eml": "application/octet-stream"}


def pictures_for(room: Room, player: Player | None) -> str:
    """What a reader gets of pictures: the least of what his game and he himself want."""
    by_game, own = room.game.settings.get("pictures"), _WISHES.get(player.pictures) if player is not None else None
    return next((less for less in (NONE, SMALL) if less in (by_game, own)), ALL)


def here(room: Room, side: str) -> dict[str, Any]:
    """What is drawn as it stands after the last line, as a side sees it."""
    return {"game": room.game.id, "line": room.campaign.count - 1, "side": side}


def sketched(name: str, draw: str, of: Mapping[str, Any], source: str = "", **more: Any) -> Enclosure:
    """A file that is made when the letter is sent: see `outbox.easel`."""
    kind = _KINDS[name.rpartition(".")[2]]
    sketch = {"name": name, "kind": kind, "source": source, "draw": draw, **of, **more}
    return Enclosure(name, kind, b"", source, sketch)


def put_dispatch(letter: Letter, told: Dispatch, now: Moment, *, wanted: str, map_sent: str = "") -> None:
    """What stands in the letter of what it tells, with room for its pictures."""
    if wanted != NONE:
        small, of = wanted == SMALL, letter.tells
        told = with_room_for_pictures(
            now, told, lambda name: f"cid:{_source(name, of)}", map_sent=map_sent, small=small
        )
        letter.enclosures += [
            sketched(f"{one.name}.png", "report", of, _source(one.name, of), small=small, content=one.content)
            for one in told.pictures
        ]
    letter.dispatch = told


def enclose_report(letter: Letter) -> None:
    """All that the letter leaves out: the reader's orders line by line, and the complete report."""
    if letter.report is None and not letter.echo:
        return
    orders = "\n".join(["Your orders", "-----------", *(f"  {line}" for line in letter.echo), ""])
    whole = as_text(letter.report, letter.echo) if letter.report is not None else orders
    letter.enclosures.append(Enclosure(REPORT, "text/plain", whole.encode()))


def put_map(letter: Letter, room: Room, side: str, hexes: Sequence[Hex] = ()) -> None:
    """The map as a side sees it, or the part of it around some hexes."""
    caption, shown = "The part you asked for" if hexes else "The whole map", _numbers(room, hexes)
    _put_picture(letter, "map-asked", caption, "map", here(room, side), hexes=shown)


def put_rivals_map(letter: Letter, room: Room, rival: Room, side: str, turn: int, caption: str) -> None:
    """The map of the other one of a duel, as he knew it at the end of a turn."""
    named = _source("map-asked.png", here(room, side))
    _put_picture(letter, "map-asked", caption, "rival", here(rival, side), named, turn=turn)


def put_reach(letter: Letter, room: Room, side: str, spot: Hex, places: Sequence[Hex]) -> None:
    """The map around a stack, with the hexes lit that it may be ordered to."""
    shown = _numbers(room, [spot, *places])
    words = f"Where {shown[0]} may be ordered to, {len(places)} hexes in all"
    _put_picture(letter, "reach", words, "reach", here(room, side), hexes=shown)


def _put_picture(
    letter: Letter, name: str, words: str, draw: str, of: Mapping[str, Any], source: str = "", **more: Any
) -> None:
    source = source or _source(name, of)
    letter.drawn.append(LetterPicture(name, f"cid:{source}", words, words))
    letter.enclosures.append(sketched(f"{name}.png", draw, of, source, **more))


def _numbers(room: Room, hexes: Sequence[Hex]) -> list[str]:
    return [room.campaign.game.board.grid.number_of(spot) for spot in hexes]


def _source(name: str, of: Mapping[str, Any]) -> str:
    return f"{name.removesuffix('.png')}.{of['line']}@{of['game']}"
