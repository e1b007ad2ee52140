"""Papers in rows of PostgreSQL: workers on any number of machines share nothing else.

A line is in its log with the commit that decides it, so that there is nothing to redo. One game has one writer, by the
lock on its row; that is what keeps a log whole. Claims only spare workers the waiting for each other: whoever loses one
(with its connection, or because it was stopped) finds under the lock that the work is done.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, Engine, delete, event, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from engine.campaign import LogExists
from engine.canonical import canonical
from engine.log import Line, State
from engine.log.file import linked
from engine.log.lines import NO_LINE, parse
from pbem.house.in_files import LOG, MADE_AGAIN, place_of
from pbem.house.papers import GameStock, Papers
from pbem.store import GameSecret, LogLine, Paper, RawMail
from pbem.store.database_troubles import HouseTrouble

LOST = HouseTrouble, SQLAlchemyError
DRAWER, CHECKPOINT, LAST, SECRET = (f"{LOG}.{what}" for what in ("drawer", "checkpoint", "last", "secret"))
# Not `for update`: that would hold up every row that points at the game.
HOLD = text(
    "SELECT id FROM game WHERE id = :game OR duel_id = (SELECT duel_id FROM game WHERE id = :game) "
    "ORDER BY id FOR NO KEY UPDATE"
)
HOLD_ALL = text("SELECT id FROM game ORDER BY id FOR NO KEY UPDATE")
IDLE = "idle_in_transaction_session_timeout"
CLAIM = text(
    "SELECT pg_try_advisory_xact_lock(hashtextextended(:what, 0)), "
    f"set_config('{IDLE}', coalesce(CAST(:term AS text), current_setting('{IDLE}')), true)"
)
LEAD = text("SELECT pg_try_advisory_lock(hashtextextended(:what, 0))")
BELL = "fieldpost"
# All that a game is opened from, in one answer: every round trip is waited for.
OPENED = text(
    f"SELECT '{LOG}' AS name, n, '' AS head, row AS content FROM log_line WHERE game_id = :game AND n = 0 "
    f"UNION ALL (SELECT '{LAST}', n, '', row FROM log_line WHERE game_id = :game ORDER BY n DESC LIMIT 1) "
    f"UNION ALL SELECT name, 0, head, content FROM paper WHERE game_id = :game "
    f"AND name IN ('{DRAWER}', '{CHECKPOINT}') "
    f"UNION ALL SELECT '{SECRET}', 0, secret, '' FROM game_secret WHERE game_id = :game"
)
_NEW = insert(Paper)
PUT = _NEW.on_conflict_do_update(
    index_elements=["game_id", "name"], set_={"head": _NEW.excluded.head, "content": _NEW.excluded.content}
)


_Put = dict[str, Any]


class RowLog:
    """What the log of one game held before this transaction, as its campaign reads it."""

    def __init__(self, session: Session, game: str) -> None:
        self.name = f"the log of {game}"
        self._session, self._game = session, game
        self._kept: dict[str, tuple[str, bytes]] = {}  # what lies beside it, by name, with the head that it belongs to
        self.header: Line = {}
        self.last: Line = {}

    @classmethod
    def find(cls, session: Session, game: str) -> "RowLog":
        found = cls(session, game)
        rows = {name: (n, head, content) for name, n, head, content in session.execute(OPENED, {"game": game})}
        if LAST not in rows:
            raise FileNotFoundError(f"{found.name} is not there")
        (found.header,) = linked(Path(found.name), [rows[LOG][2]])
        (found.last,) = linked(Path(found.name), [rows[LAST][2]], rows[LAST][0], None)
        found._kept = {name: (head, content) for name, (_, head, content) in rows.items()}
        return found

    def since(self, n: int) -> list[Line]:
        if n >= self.last["n"]:
            return []
        rows = select(LogLine.row).where(LogLine.game_id == self._game, LogLine.n > n, LogLine.n <= self.last["n"])
        found = self._session.exec(rows.order_by(col(LogLine.n))).all()
        return linked(Path(self.name), found, n + 1, NO_LINE if n < 0 else None)

    def secret(self) -> bytes | None:
        return bytes.fromhex(self._kept[SECRET][0]) if SECRET in self._kept else None

    def drawer(self) -> State:
        found: State = json.loads(self._kept[DRAWER][1])["now"] if DRAWER in self._kept else {}
        return found

    def checkpoint(self) -> State | None:
        return _state(self._kept.get(CHECKPOINT), self.last["hash"])


class InRows:
    """The same for a house that many workers share."""

    shared: Literal[True] = True

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        event.listen(engine, "connect", _packing)
        engine.dispose()  # whoever was here before this was said comes again
        self._leading: Connection | None = None
        self._listening: Connection | None = None

    # Games.

    def hold(self, session: Session, game: str) -> bool:
        held: set[str] = session.info.setdefault("held", set())
        if game in held or not session.info.get("writes"):
            return False
        session.flush()
        # Nobody can have written to those that were held; what is decided of them lies there until the commit.
        session.info["games"] = {one: had for one, had in session.info.get("games", {}).items() if one in held}
        held |= {game, *session.scalars(HOLD, {"game": game})}
        session.expire_all()
        return True

    def hold_all(self, session: Session) -> None:
        session.info.setdefault("held", set()).update(session.scalars(HOLD_ALL))

    @contextmanager
    def claim(self, what: str, *, minutes: int | None = None) -> Iterator[bool]:
        connection = self._engine.connect()
        try:
            yield bool(connection.execute(CLAIM, {"what": what, "term": minutes and f"{minutes}min"}).scalar())
        finally:
            _shut(connection)  # one that was lost has lost its claims, too

    def papers(self, session: Session, game: str) -> Papers[RowLog]:
        return Papers(game, RowLog.find(session, game))

    def blank(self, session: Session, game: str) -> Papers[RowLog]:
        self.hold(session, game)
        if self.has_log(session, game):
            raise LogExists(Path(f"the log of {game}"))
        return Papers(game, RowLog(session, game))

    def seal(self, session: Session, papers: Papers[RowLog]) -> None:
        game, head, kept = papers.game, papers.last.get("hash", ""), list[_Put]()
        for _, line, _ in papers.decided:
            if line is not None:
                assert game in session.info["held"], "a line is written only under its game's lock"
                session.add(_row(game, line, canonical(line)))
        if papers.decided:
            content = {"head": head, "now": papers.now, "was": papers.was}  # as its file has it
            kept.append(_put(game, DRAWER, canonical(content), head))
        if papers.state is not None:
            kept.append(_put(game, CHECKPOINT, canonical(papers.state()), head))
        if kept:
            session.execute(PUT, kept)

    def file(self, papers: Papers[RowLog]) -> bool:
        return False

    def has_log(self, session: Session, game: str) -> bool:
        return session.exec(select(LogLine.n).where(LogLine.game_id == game, LogLine.n == 0)).first() is not None

    def secret(self, session: Session, game: str) -> bytes | None:
        return _secret(session, game)

    def promise(self, session: Session, game: str, secret: bytes) -> None:
        session.add(GameSecret(game_id=game, secret=secret.hex()))

    def paper(self, session: Session, game: str, name: str) -> bytes:
        kept = _paper(session, game, name)
        return kept[1] if kept is not None else b""

    def keep_paper(self, session: Session, game: str, name: str, content: bytes) -> None:
        session.execute(PUT, [_put(game, name, content)])

    def state(self, session: Session, game: str, name: str, line: Line) -> State | None:
        return _state(_paper(session, game, name), line["hash"])

    def keep_state(self, session: Session, game: str, name: str, line: Line, state: State) -> None:
        session.execute(PUT, [_put(game, name, canonical(state), line["hash"])])

    # Workers among themselves.

    def leads(self, what: str, *, seconds: int) -> bool:
        try:
            if self._leading is not None:
                self._leading.exec_driver_sql("SELECT 1")
                return True
            asking = self._alone()
            asking.exec_driver_sql(f"SET idle_session_timeout = '{seconds}s'")  # a worker that is stopped leads no more
            if asking.execute(LEAD, {"what": what}).scalar():
                self._leading = asking
            else:
                asking.close()
        except LOST:
            self.step_down()
            raise
        return self._leading is not None

    def step_down(self) -> None:
        leading, self._leading = self._leading, None
        _shut(leading)

    def ring(self, session: Session) -> None:
        session.execute(text(f"NOTIFY {BELL}"))

    def rung(self) -> bool:
        try:
            if self._listening is None:
                self._listening = self._alone()
                self._listening.exec_driver_sql(f"LISTEN {BELL}")
            driver: Any = self._listening.connection.dbapi_connection
            return bool(list(driver.notifies(timeout=0)))
        except Exception:  # whoever cannot hear looks from time to time
            self._hang_up()
            return False

    def _hang_up(self) -> None:
        listening, self._listening = self._listening, None
        _shut(listening)

    def _alone(self) -> Connection:
        """A connection that goes back to no pool: what it holds ends with it."""
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        return connection

    def close(self) -> None:
        self.step_down()
        self._hang_up()

    # Mails.

    def keep_raw(self, session: Session, raw: bytes) -> tuple[str, str]:
        """Who brings the same mail at the same time waits here, and then finds it stored."""
        digest = hashlib.sha256(raw).hexdigest()
        self.put_raw(session, digest, raw)
        return place_of(digest), digest

    def put_raw(self, session: Session, digest: str, raw: bytes) -> None:
        session.execute(insert(RawMail).values(digest=digest, raw=raw).on_conflict_do_nothing())

    def raw(self, session: Session, place: str) -> bytes:
        return session.get_one(RawMail, Path(place).stem).raw

    def drop_raw(self, session: Session, place: str) -> None:
        session.exec(delete(RawMail).where(col(RawMail.digest) == Path(place).stem))

    # All of it taken out and put in whole.

    def mails(self, session: Session) -> Sequence[str]:
        return session.exec(select(RawMail.digest).order_by(col(RawMail.digest))).all()

    def games(self, session: Session) -> list[str]:
        with_secret = session.exec(select(GameSecret.game_id)).all()
        return sorted({*with_secret, *session.exec(select(LogLine.game_id).distinct()).all()})

    def stock(self, session: Session, game: str) -> GameStock:
        rows = select(LogLine.row).where(LogLine.game_id == game).order_by(col(LogLine.n))
        papers = session.exec(select(Paper.name, Paper.content).where(Paper.game_id == game)).all()
        kept = {name: content for name, content in papers if not name.startswith(MADE_AGAIN)}
        return GameStock(list(session.exec(rows).all()), _secret(session, game), kept)

    def put_stock(self, session: Session, game: str, stock: GameStock) -> None:
        if stock.secret is not None:
            self.promise(session, game, stock.secret)
        session.add_all(_row(game, parse(row), row) for row in stock.rows)
        session.add_all(Paper(game_id=game, name=name, content=content) for name, content in stock.papers.items())
        session.flush()
        session.expunge_all()


def _packing(connection, _record) -> None:  # type: ignore[no-untyped-def]
    """What is large is packed the quick way, if the server has been built with it."""
    connection.execute(
        "SELECT set_config(name, 'lz4', false) FROM pg_settings "
        "WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"
    )
    connection.commit()


def _shut(connection: Connection | None) -> None:
    if connection is not None:
        with suppress(*LOST):
            connection.close()


def _row(game: str, line: Line, row: bytes) -> LogLine:
    return LogLine(game_id=game, n=line["n"], hash=line["hash"], cause=line.get("cause", ""), row=row)


def _put(game: str, name: str, content: bytes, head: str = "") -> _Put:
    return {"game_id": game, "name": name, "head": head, "content": content}


def _paper(session: Session, game: str, name: str) -> tuple[str, bytes] | None:
    """A paper with the head that it belongs to."""
    return session.exec(select(Paper.head, Paper.content).where(Paper.game_id == game, Paper.name == name)).first()


def _state(kept: tuple[str, bytes] | None, head: str) -> State | None:
    found: State | None = json.loads(kept[1]) if kept is not None and kept[0] == head else None
    return found


def _secret(session: Session, game: str) -> bytes | None:
    kept = session.get(GameSecret, game)
    return bytes.fromhex(kept.secret) if kept is not None else None
