"""A house taken elsewhere, whole: from files to PostgreSQL or back, and checked there before the old one is closed."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Table, func, insert, text
from sqlmodel import Session, SQLModel, col, select

from engine.canonical import canonical
from engine.dice import commitment
from engine.log import DamagedLog, verify_chain
from engine.log.lines import parse
from pbem.house import game_file
from pbem.house.house import cabinet_of
from pbem.house.in_files import InFiles, place_of
from pbem.house.owner_only import private_file, private_folder
from pbem.store import Database, GameRow, HouseRow, LineDue, MailIn
from pbem.store.database import NoDatabase, url_of, utc

if TYPE_CHECKING:  # with what only PostgreSQL needs
    from pbem.house.in_rows import InRows

CHUNK = 500  # rows at a time
LEAVING = 1.0  # seconds for which a server may still tell of somebody who has just gone
# What is papers, or of this very house: all other tables are the same rows in either.
APART = ("alembic_version", "game_secret", "house", "line_due", "log_line", "paper", "raw_mail")
FILE = "fieldpost.sqlite"
OTHERS = """SELECT application_name FROM pg_stat_activity WHERE datname = current_database()
AND pid <> pg_backend_pid() AND application_name LIKE 'fieldpost/%'"""


class CannotMove(Exception):
    """Why a house stays where it is; nothing was changed."""


class Whole(NamedTuple):
    """All that a house is, within one transaction: its rows, its games' papers, its mails."""

    session: Session
    cabinet: "InFiles | InRows"

    @property
    def is_empty(self) -> bool:
        return not any(self.session.execute(select(func.count()).select_from(table)).scalar() for table in tables())


def tables() -> list[Table]:
    return [table for table in SQLModel.metadata.sorted_tables if table.name not in APART]


@contextmanager
def whole(database: Database, home: Path) -> Iterator[Whole]:
    """A house as it is at one moment, to read or to fill; nobody writes to it meanwhile."""
    with database.begin() as session:
        house = Whole(session, cabinet_of(database, home))
        if house.cabinet.shared:
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        yield house


def copy(source: Whole, target: Whole) -> None:
    """Everything of one house into another that is empty. Raises CannotMove unless it is the same there."""
    if source.session.exec(select(LineDue.game_id).limit(1)).first() is not None:
        raise CannotMove("a line waits for its file: start and stop the service once, then try again")
    for table in tables():
        _copy_rows(table, source.session, target.session)
    for name in source.cabinet.games(source.session):
        target.cabinet.put_stock(target.session, name, source.cabinet.stock(source.session, name))
    for digest in source.cabinet.mails(source.session):
        raw = source.cabinet.raw(source.session, place_of(digest))
        target.cabinet.put_raw(target.session, digest, raw)
    must_be_the_same(source, target)


def _copy_rows(table: Table, source: Session, target: Session) -> None:
    found = source.execute(select(table)).mappings()  # type: ignore[call-overload]
    for some in found.partitions(CHUNK):
        rows = [{name: utc(it) if isinstance(it, datetime) else it for name, it in row.items()} for row in some]
        target.execute(insert(table), rows)
    numbered = [column for column in table.primary_key.columns if column.autoincrement is True or column.name == "id"]
    if target.get_bind().dialect.name == "postgresql" and numbered and numbered[0].type.python_type is int:
        # Whoever comes next gets a number that nobody had.
        last = f"(SELECT max(id) FROM {table.name})"
        target.execute(text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {last}) WHERE {last} > 0"))


def must_be_the_same(source: Whole, target: Whole) -> None:
    """Raises CannotMove."""
    before, after = tally(source), tally(target)
    wrong = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if wrong:
        raise CannotMove(f"it would not be the same house there: {', '.join(wrong[:5])} differ")


def tally(house: Whole) -> dict[str, str]:
    """A digest of each table, each game and all mails: the same for the same house, wherever it is."""
    session, cabinet = house
    found = {f"the table {table.name}": _rows_in(table, session) for table in tables()}
    found |= {f"the game {name}": cabinet.stock(session, name).digest() for name in cabinet.games(session)}
    mails = hashlib.sha256()
    for digest in sorted(cabinet.mails(session)):
        mails.update(hashlib.sha256(cabinet.raw(session, place_of(digest))).digest())
    return found | {"the mails": mails.hexdigest()}


def _rows_in(table: Table, session: Session) -> str:
    """Whatever their order is."""
    count = total = 0
    for row in session.execute(select(table)):  # type: ignore[call-overload]
        count += 1
        total += int.from_bytes(hashlib.sha256(canonical([_plain(value) for value in row])).digest())
    return f"{count}/{total % (1 << 256):x}"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return utc(value).isoformat()
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value


def faults(house: Whole) -> Iterator[str]:
    """What is wrong with a house, each in a sentence: chains, secrets, mails' bytes, and mails that tell of lines."""
    session, cabinet = house
    lines: dict[tuple[str, int], str] = {}
    begun, there = {row.id: row for row in session.exec(select(GameRow)).all()}, cabinet.games(session)
    for name in sorted({*begun, *there}):
        try:
            stock, row = cabinet.stock(session, name) if name in there else None, begun.get(name)
        except DamagedLog as damaged:
            yield f"{name}: {damaged}"
            continue
        if stock is None or (row is not None and row.state in ("playing", "paused") and not stock.rows):
            yield f"{name}: its papers are gone"
            continue
        if row is not None and (stock.secret is None or commitment(stock.secret) != row.commit):
            yield f"{name}: its secret is not the one that was promised"
        if stock.rows:
            found = verify_chain(stock.rows, stock.secret)
            yield from (f"{name}: {fault}" for fault in found[:3])
            lines |= {(name, n): parse(row)["hash"] for n, row in enumerate(stock.rows)} if not found else {}
    yield from _mail_faults(house, lines, {name for name, _ in lines})


def _mail_faults(house: Whole, lines: dict[tuple[str, int], str], sound: set[str]) -> Iterator[str]:
    session, cabinet = house
    kept = set(cabinet.mails(session))
    for mail in session.exec(select(MailIn).order_by(col(MailIn.received))).all():
        if mail.raw and mail.digest not in kept:
            yield f"the mail {mail.id}: its bytes are gone"
        elif mail.raw and hashlib.sha256(cabinet.raw(session, mail.raw)).hexdigest() != mail.digest:
            yield f"the mail {mail.id}: its bytes are not those that came"
        if mail.line is not None and mail.game_id in sound and lines.get((mail.game_id, mail.line)) != mail.line_hash:
            yield f"the mail {mail.id}: line {mail.line} of {mail.game_id} is not the one it made"


def move(source: Database, home: Path, to: str) -> str:
    """A whole house to a PostgreSQL or to a new folder; the old one is closed by the last step. Raises CannotMove.

    Cut short at any moment it leaves the old house as it was; done again it goes on from there.
    """
    place = url_of(to).render_as_string() if is_url(to) else str(Path(to).absolute())  # without a password
    if place.startswith("sqlite"):
        raise NoDatabase
    with whole(source, home) as old:
        _nobody_else(old.session)
        if is_url(to):
            with closing(Database(to, name="moving")) as target, whole(target, home) as new:
                if others := _others(new.session):  # the source, if it is the same
                    raise CannotMove(f"{others} is at work there: name another database, and stop all workers")
                if new.is_empty:
                    copy(old, new)
                else:  # it may be a move that was cut short
                    try:
                        must_be_the_same(old, new)
                    except CannotMove:
                        raise CannotMove("there is another house already: name an empty database") from None
        else:
            export(old, Path(to))
        old.session.merge(HouseRow(moved_to=place))
    return place


def export(source: Whole, folder: Path) -> None:
    """A house on files that is the same, in a folder that is not there yet. Raises CannotMove."""
    if folder.exists():
        raise CannotMove(f"{folder} is there already: name a folder that is not")
    part = folder.with_name(f"{folder.name}.part")
    if part.exists():
        raise CannotMove(f"{part} was left by one that was cut short: remove it, then try again")
    for name in ("games", "mail"):
        private_folder(part / name)
    with closing(Database(f"sqlite:///{private_file(part / FILE)}")) as target, whole(target, part) as new:
        copy(source, new)
        game_file.write_all(new.session, part / "games")
    part.rename(folder)


def is_url(to: str) -> bool:
    return "://" in to


def _nobody_else(session: Session) -> None:
    """Whoever comes from now on waits, and finds the house moved. Raises CannotMove if anybody is at the database."""
    if session.get_bind().dialect.name == "sqlite":
        return
    session.execute(text("LOCK TABLE house IN ACCESS EXCLUSIVE MODE"))
    if others := _others(session):
        raise CannotMove(f"{others} is at work: stop all workers first")


def _others(session: Session) -> str:
    """Who else is at a server's database, but for those who have just gone."""
    until = time.monotonic() + LEAVING
    while found := session.execute(text(OTHERS)).scalars().all():
        if time.monotonic() >= until:
            break
        time.sleep(0.02)
        session.execute(text("SELECT pg_stat_clear_snapshot()"))  # else it answers as it did before
    return ", ".join(sorted(set(found)))
