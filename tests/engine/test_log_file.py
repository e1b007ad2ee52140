"""The log in its file: written whole or not at all, and never over somebody else's line."""

import os
import stat
from errno import ENOSPC
from pathlib import Path

import pytest

from engine.canonical import canonical
from engine.dice import secret_from_seed
from engine.log import (
    Back,
    DamagedLog,
    Fault,
    Item,
    Line,
    LogFile,
    LogMoved,
    TornTail,
    load_checkpoint,
    read_secret,
    seal_header,
    seal_line,
    store_checkpoint,
    write_secret,
)
from engine.log.chain import chain_faults
from engine.log.file import examine
from engine.log.sidecar import beside, read_head

SECRET = secret_from_seed(1944)
FACT = Item("fact", {"moved": "5 Gds Tank", "to": "Шпола\u2028\n"})


def verify_file(path: Path) -> list[Fault]:
    lines, secret, faults = examine(path)
    return sorted([*faults, *chain_faults(lines, secret)], key=lambda fault: fault.line)


def begin() -> Line:
    sides = ["german", "soviet"]
    return seal_header(SECRET, game="g", scenario="s", sides=sides, rules="1", nonces={}, position="p")


def after(lines: list[Line], back: Back | None = None, by: str = "german") -> Line:
    act = "undo" if back else "orders"
    happened = [] if back else [FACT, FACT]
    return seal_line(SECRET, lines[0], lines[-1], by=by, act=act, rules="1", position="p", happened=happened, back=back)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of four lines in a file, with its secret and head beside it."""
    path = tmp_path / "log.jsonl"
    write_secret(path, SECRET)
    lines = [begin()]
    log = LogFile(path)
    log.create(lines[0])
    for _ in range(3):
        lines.append(after(lines))
        log.append(lines[-1])
    return path


def test_what_is_appended_is_what_is_read(path: Path) -> None:
    read = LogFile(path).read()
    assert [line["n"] for line in read.lines] == [0, 1, 2, 3]
    assert read.torn is None
    assert verify_file(path) == []
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "log.jsonl",
        "log.jsonl.head",
        "log.jsonl.secret",
    ]


def test_a_log_is_never_begun_over_another(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        LogFile(path).create(begin())
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.new"))


def test_a_last_line_torn_anywhere_never_happened_and_makes_way_for_the_next(path: Path) -> None:
    whole = path.read_bytes()
    lines = LogFile(path).read().lines
    row = canonical(after(lines)) + b"\n"
    for size in range(1, len(row), 7):
        path.write_bytes(whole + row[:size])
        log = LogFile(path)
        read = log.read()
        assert (read.lines, read.torn) == (lines, TornTail(4, size))
        assert verify_file(path)
        log.append(after(lines, by="soviet"))
        assert len(LogFile(path).read().lines) == 5
        assert verify_file(path) == []
        beside(path, "head").write_bytes(canonical({"n": 3, "hash": lines[3]["hash"]}))


def test_a_last_line_that_lacks_only_its_newline_never_happened(path: Path) -> None:
    lines = LogFile(path).read().lines
    path.write_bytes(path.read_bytes() + canonical(after(lines)))
    read = LogFile(path).read()
    assert read.lines == lines
    assert read.torn is not None


def test_a_last_line_of_nonsense_never_happened(path: Path) -> None:
    lines = LogFile(path).read().lines
    path.write_bytes(path.read_bytes() + b"\0\0\0\0\n")
    log = LogFile(path)
    assert log.read().torn == TornTail(4, 5)
    log.append(after(lines))
    assert verify_file(path) == []


def test_a_line_once_written_and_then_torn_is_damage(path: Path) -> None:
    whole = path.read_bytes()
    for size in range(1, len(whole)):
        path.write_bytes(whole[:-size])
        with pytest.raises(DamagedLog):
            LogFile(path).read()
        if size % 9 == 1:
            assert verify_file(path)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_damage_is_named_by_its_line(path: Path, n: int) -> None:
    rows = path.read_bytes().splitlines(keepends=True)
    rows[n] = rows[n].replace(b'"rules":"1"', b'"rules":"2"')
    path.write_bytes(b"".join(rows))
    with pytest.raises(DamagedLog, match=f"log.jsonl is damaged at line {n}: it is not what its hash says") as found:
        LogFile(path).read()
    assert (found.value.path, found.value.line) == (path, n)


def test_nonsense_in_the_middle_is_damage_and_not_a_torn_end(path: Path) -> None:
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*rows[:2], rows[2][:40] + b"\n", rows[3]]))
    with pytest.raises(DamagedLog, match="line 2: it is not JSON"):
        LogFile(path).read()


def test_an_empty_file_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"")
    with pytest.raises(DamagedLog, match="no header"):
        LogFile(tmp_path / "log.jsonl").read()
    assert verify_file(tmp_path / "log.jsonl")


def test_of_two_writers_the_second_is_told_that_the_log_has_moved(path: Path) -> None:
    one, two = LogFile(path), LogFile(path)
    lines = one.read().lines
    two.read()
    one.append(after(lines))
    with pytest.raises(LogMoved) as caught:
        two.append(after(lines, by="soviet"))
    assert caught.value.line == 4
    lines = two.read().lines
    assert [line["by"] for line in lines[1:]] == ["german"] * 4
    two.append(after(lines, by="soviet"))
    assert verify_file(path) == []


def test_a_line_of_the_same_length_put_in_place_of_the_last_is_noticed(path: Path) -> None:
    log = LogFile(path)
    lines = log.read().lines
    content = path.read_bytes()
    path.write_bytes(content.replace(canonical(lines[3]), canonical(lines[3]).replace(b"5 Gds", b"6 Gds")))
    with pytest.raises(LogMoved):
        log.append(after(lines))


def test_a_stale_line_is_not_written_by_a_fresh_writer(path: Path) -> None:
    lines = LogFile(path).read().lines
    with pytest.raises(LogMoved):
        LogFile(path).append(after(lines[:2]))


def test_a_wrong_line_is_never_written(path: Path) -> None:
    before = path.read_bytes()
    lines = LogFile(path).read().lines
    for change in ({"n": 7}, {"by": "soviet"}, {"extra": 1}, {"parts": {}}):
        with pytest.raises(ValueError, match="cannot be written"):
            LogFile(path).append(after(lines) | change)
    assert path.read_bytes() == before


def test_a_line_that_the_disk_did_not_take_whole_is_not_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write = path.read_bytes(), os.write
    log = LogFile(path)
    lines = log.read().lines
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda fd, row: write(fd, row[:50]))
        with pytest.raises(OSError, match="only a part of line 4"):
            log.append(after(lines))
    assert path.read_bytes() == before
    log.append(after(lines))
    assert verify_file(path) == []


def test_a_dropped_last_line_is_found_by_the_head(path: Path) -> None:
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[:-1]))
    assert [(fault.line, fault.what) for fault in verify_file(path)] == [(3, "it was written once and is gone")]
    beside(path, "head").unlink()
    assert verify_file(path) == []


def test_a_line_written_while_somebody_reads_is_no_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = LogFile(path)
    lines = writer.read().lines

    def meanwhile(log: Path) -> object:
        monkeypatch.undo()
        writer.append(after(lines))
        return read_head(log)

    monkeypatch.setattr("engine.log.file.read_head", meanwhile)
    assert len(LogFile(path).read().lines) == len(lines) + 1


def test_a_head_that_lags_after_a_crash_is_no_fault(path: Path) -> None:
    head = beside(path, "head").read_bytes()
    lines = LogFile(path).read().lines
    LogFile(path).append(after(lines))
    beside(path, "head").write_bytes(head)
    assert verify_file(path) == []
    assert len(LogFile(path).read().lines) == 5


@pytest.mark.parametrize("note", [b"", b"[]", b'{"n":3}', b'{"n":"3","hash":""}', b'{"hash":"00","n":3}', b"\xff"])
def test_a_head_that_says_something_else_is_found(path: Path, note: bytes) -> None:
    beside(path, "head").write_bytes(note)
    assert verify_file(path)
    with pytest.raises(DamagedLog):
        LogFile(path).read()


def test_the_head_names_the_last_line(path: Path) -> None:
    head = read_head(path)
    assert head is not None
    assert (head.n, head.hash) == (3, LogFile(path).read().lines[3]["hash"])


def test_the_secret_is_for_its_owner_only_and_is_never_replaced(path: Path) -> None:
    assert read_secret(path) == SECRET
    assert stat.S_IMODE(beside(path, "secret").stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        write_secret(path, secret_from_seed(2))
    assert read_secret(path.with_name("other.jsonl")) is None


def test_a_secret_that_a_full_disk_took_nothing_of_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the game's dice would come from a secret that everybody knows."""

    def full(*_: object) -> None:
        raise OSError(ENOSPC, "no space left on device")

    other = path.with_name("other.jsonl")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="no space left"):
            write_secret(other, SECRET)
    assert not list(path.parent.glob("other*"))
    path.with_name("other.jsonl.secret").touch()  # as an earlier version left it
    assert read_secret(other) is None
    write_secret(other, SECRET)
    assert read_secret(other) == SECRET


def test_a_garbled_secret_is_a_fault(path: Path) -> None:
    beside(path, "secret").write_text("not a number")
    assert any("hexadecimal" in fault.what for fault in verify_file(path))


def test_a_checkpoint_comes_back_for_its_own_line_only(path: Path) -> None:
    lines = LogFile(path).read().lines
    assert load_checkpoint(path, lines[2]) is None
    store_checkpoint(path, lines[2], {"stage": "combat", "units": [1, 2]})
    store_checkpoint(path, lines[1], {"stage": "supply"}, "another")
    assert load_checkpoint(path, lines[2]) == {"stage": "combat", "units": [1, 2]}
    assert load_checkpoint(path, lines[1], "another") == {"stage": "supply"}
    assert load_checkpoint(path, lines[1]) is None
    assert load_checkpoint(path, after(lines[:2], by="soviet")) is None


def test_a_checkpoint_in_doubt_is_no_checkpoint(path: Path) -> None:
    line = LogFile(path).read().lines[2]
    store_checkpoint(path, line, {"stage": "combat"})
    file = beside(path, "checkpoint")
    good = file.read_bytes()
    for at in range(len(good)):
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert load_checkpoint(path, line) is None, at
        file.write_bytes(good[:at])
        assert load_checkpoint(path, line) is None, at
    for odd in ([], 7, None, {"line": 2}):
        file.write_bytes(canonical(odd))
        assert load_checkpoint(path, line) is None


def opened(path: Path) -> LogFile:
    """The log with only its two ends read."""
    log = LogFile(path)
    assert log.ends() is not None
    return log


@pytest.mark.parametrize("since", range(-1, 6))
def test_the_tail_is_what_comes_after_a_line(path: Path, since: int) -> None:
    lines = LogFile(path).read().lines
    assert opened(path).tail(since) == lines[since + 1 :]
    assert LogFile(path).tail(since) == lines[since + 1 :]


def test_the_tail_is_read_without_what_lies_before_it(path: Path) -> None:
    log = opened(path)
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"?" * (len(rest[0]) - 1) + b"\n" + rest[1] + rest[2])
    assert [line["n"] for line in log.tail(1)] == [2, 3]
    with pytest.raises(DamagedLog, match="at line 1: it is not JSON"):
        log.tail(0)


def test_a_long_tail_is_put_together_from_many_reads(path: Path) -> None:
    lines = LogFile(path).read().lines
    log = LogFile(path)
    for _ in range(40):
        big = seal_line(
            SECRET, lines[0], lines[-1], by="x", act="orders", rules="1", position="p", happened=[FACT] * 300
        )
        lines.append(big)
        log.append(big)
    assert path.stat().st_size > 5 * 65536
    assert opened(path).tail(2) == lines[3:]


@pytest.mark.parametrize("which", [2, 3])
def test_a_forged_line_in_the_tail_is_found(path: Path, which: int) -> None:
    log = opened(path)
    rows = path.read_bytes().splitlines(keepends=True)
    rows[which] = rows[which].replace(b'"by":"german"', b'"by":"soviet"')
    path.write_bytes(b"".join(rows))
    with pytest.raises(DamagedLog, match=f"at line {which}: it is not what its hash says"):
        log.tail(0)


def test_a_log_of_another_format_is_refused_with_a_sentence(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"format":2', b'"format":1'))
    with pytest.raises(DamagedLog, match="it is written in format 1, and this program reads format 2"):
        LogFile(path).read()
