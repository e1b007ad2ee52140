"""`game.json` beside a log: the rows of its game, so that a database that is lost can be made again from the folders.

It has tokens and addresses in it: it is for its owner alone, and nothing that is sent or shown is made from it.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, DateTime, event, inspect, text
from sqlmodel import Session, SQLModel, col, select

from engine.log.sidecar import replace_file
from pbem.store import Duel, GameRow, Player, Seat, Wish, tables
from pbem.store.database import utc
from pbem.store.schema import newest

NAME = "game.json"
OF_CHAIRS = tables.FormerToken, tables.SecondAddress, tables.AddressRequest, tables.CalendarEntry
OF_GAMES = tables.Spectator, tables.Invitation, tables.PressSent, tables.Due
MODELS: tuple[type[SQLModel], ...] = (Duel, GameRow, Player, Wish, Seat, *OF_CHAIRS, *OF_GAMES)
SHARED = Duel, Player, Wish  # rows of several games
SAID = "address", "name", "zone", "pictures"  # what a player says of himself; his record is of each game's file

_CHAIRS = "SELECT id FROM seat WHERE game_id = :game"
_PEOPLE = " UNION ".join(
    f"SELECT player_id FROM {table} WHERE {'seat_id IN (' + _CHAIRS + ')' if of_chair else 'game_id = :game'}"
    for table, of_chair in (
        ("seat", False), ("invitation", False), *((str(model.__tablename__), True) for model in OF_CHAIRS)
    )
)  # fmt: skip


def _whose(model: type[SQLModel]) -> str:
    """Which rows of a table are a game's."""
    if model is Duel:
        return "id IN (SELECT duel_id FROM game WHERE id = :game)"
    if model in (Player, Wish):
        return f"{'id' if model is Player else 'player_id'} IN ({_PEOPLE})"
    if model in OF_CHAIRS:
        return f"seat_id IN ({_CHAIRS})"
    return "id = :game" if model is GameRow else "game_id = :game"


@cache
def _question() -> Any:
    """All rows of a game in one answer, put together by SQLite: it is asked with every mail."""
    parts = [f"'schema', '{newest()}'"]
    for model in MODELS:
        table = inspect(model).local_table
        pairs = ", ".join(f"'{c.name}', {'json' if isinstance(c.type, JSON) else ''}(\"{c.name}\")" for c in table.c)
        keys = ", ".join(column.name for column in table.primary_key)
        rows = f"SELECT * FROM {table.name} WHERE {_whose(model)} ORDER BY {keys}"
        parts.append(f"'{table.name}', (SELECT json_group_array(json_object({pairs})) FROM ({rows}))")
    return text(f"SELECT json_object({', '.join(parts)})")


def content_of(session: Session, game: str) -> bytes:
    """The rows of a game as its file has them; of a database that is a file itself."""
    return str(session.execute(_question(), {"game": game}).scalar_one()).encode() + b"\n"


def contents_touched(session: Session) -> dict[str, bytes]:
    """What must be written once this transaction is decided, by game."""
    session.flush()
    touched = _touched(session)
    games = touched["game"] | {session.get_one(Seat, chair).game_id for chair in touched["chair"]}
    if touched["player"]:
        games |= set(session.exec(select(Seat.game_id).where(col(Seat.player_id).in_(touched["player"]))).all())
    return {game: content_of(session, game) for game in games}


def write(folder: Path, content: bytes) -> None:
    """Whole or not at all, and only if it says something new."""
    place = folder / NAME
    if folder.is_dir() and not (place.exists() and place.read_bytes() == content):
        replace_file(place, content, may_lag=True)


def write_all(session: Session, games: Path) -> None:
    """The rows of every game into its folder."""
    for game in session.exec(select(GameRow.id)).all():
        write(games / game, content_of(session, game))


def touch(session: Session, game: str) -> None:
    """Its rows were changed by another transaction, which wrote no file."""
    _touched(session)["game"].add(game)


def _touched(session: Session) -> dict[str, set[Any]]:
    found: dict[str, set[Any]] = session.info.setdefault("touched", {"game": set(), "chair": set(), "player": set()})
    return found


@event.listens_for(Session, "after_flush")
def _note(session: Session, _flush: Any) -> None:
    """Whose files are no longer true."""
    touched = _touched(session)
    for row in (*session.new, *session.dirty, *session.deleted):
        if isinstance(row, GameRow):
            touched["game"].add(row.id)
        elif isinstance(row, (Seat, *OF_GAMES)):
            touched["game"].add(row.game_id)
        elif isinstance(row, OF_CHAIRS):
            touched["chair"].add(row.seat_id)
        elif isinstance(row, Wish):
            touched["player"].add(row.player_id)
        elif isinstance(row, Player) and any(inspect(row).attrs[name].history.has_changes() for name in SAID):
            touched["player"].add(row.id)


# And back.


class NoGameFile(Exception):
    """A game's rows cannot be made again from its folder."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{folder / NAME} {why}")


def rows_in(folder: Path) -> Iterator[SQLModel]:
    """The rows that the file in a game's folder holds, none before one it points at. Raises NoGameFile."""
    try:
        kept = json.loads((folder / NAME).read_bytes())
        if kept["schema"] > newest():
            raise NoGameFile(folder, f"was written by a newer Fieldpost (version {kept['schema']}): install that one")
        if [row["id"] for row in kept["game"]] != [folder.name]:
            raise NoGameFile(folder, "is of another game: give the folder its own name again, or move it away")
        for model in MODELS:
            columns = {column.name: column for column in inspect(model).local_table.c}
            for row in kept[str(model.__tablename__)]:
                yield model(**{name: _read(columns[name], value) for name, value in row.items() if name in columns})
    except FileNotFoundError:
        raise NoGameFile(folder, "is not there: take the one of a backup, or move the folder away") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        why = f"is damaged ({problem!r}): take the one of a backup, or move the folder away"
        raise NoGameFile(folder, why) from None


def _read(column: "Column[Any]", value: Any) -> Any:
    if value is not None and isinstance(column.type, DateTime):
        return utc(datetime.fromisoformat(value))
    return bool(value) if isinstance(column.type, Boolean) and value is not None else value
