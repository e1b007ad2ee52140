"""A checker of logs written from docs/log-format.md alone: it knows nothing of the engine, only hashes and JSON."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest

import games
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.canonical import canonical
from engine.log import export
from tests.engine.ford import begun, played

Object = dict[str, Any]

# --- the checker

EVERY = {"n", "at", "rules", "parts", "seals", "position", "prev", "hash"}
HEADER = EVERY | {"format", "game", "scenario", "options", "sides", "chairs", "units", "commit", "nonces"}
LINE = EVERY | {"by", "cause", "act"}
FURTHER = {"undo": "back", "rewind": "back", "terms": "terms", "skip": "skip", "secret": "secret"}
ACTS = {"orders", "deadline", "window", "correct", *FURTHER}
SECTIONS = ("where", "lost", "unsure", "marks", "tracks", "owners", "pools", "seats")


def c(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def h(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def mac(key: bytes, text: str | bytes) -> bytes:
    return hmac.new(key, text if isinstance(text, bytes) else text.encode(), hashlib.sha256).digest()


class Wrong(Exception):
    """What a log should not say."""


def must(fits: object, line: int, what: str) -> None:
    if not fits:
        raise Wrong(f"line {line}: {what}")


def read(data: bytes) -> list[Object]:
    """Step 1: the lines, each as it should be, chained."""
    lines: list[Object] = []
    for n, row in enumerate(data.split(b"\n")[:-1]):
        line = json.loads(row)
        must(c(line) == row, n, "not canonical")
        further = {FURTHER[line["act"]]} if n and line["act"] in FURTHER else set()
        must(line.keys() - {"salts"} == (LINE | further if n else HEADER), n, "strange or missing fields")
        must(n == 0 or line["act"] in ACTS, n, "an unknown act")
        must(line["n"] == n, n, "misnumbered")
        must(line["prev"] == (lines[-1]["hash"] if lines else "0" * 64), n, "not chained")
        must(line["hash"] == h(c({k: v for k, v in line.items() if k not in ("parts", "salts", "hash")})), n, "hash")
        lines.append(line)
    must(lines and lines[0]["format"] == 2, 0, "not of format 2")
    return lines


def audiences(sides: list[str]) -> set[str]:
    some = ("+".join(chosen) for size in range(2, len(sides)) for chosen in combinations(sorted(sides), size))
    return {"all", "none", *sides, *some}


def items_of(line: Object) -> list[tuple[str, Object, str]]:
    """A line's items as they happened: kind, body, audience. Step 3, as far as their order goes."""
    n, parts = line["n"], {audience: list(part) for audience, part in line["parts"].items()}
    must([entry[0] for entry in parts["all"]] == list(range(len(parts["all"]))), n, "the count of open items")
    hidden = any(part for audience, part in parts.items() if audience != "all")
    order = parts["none"].pop(0)[2]["of"] if hidden else ["all"] * len(parts["all"])
    found, open_ = [], 0
    for audience in order:
        place, kind, body = parts[audience].pop(0)
        must(place == open_ and kind in ("answer", "roll", "fact"), n, "an item out of place")
        open_ += audience == "all"
        found.append((kind, body, audience))
    must(not any(parts.values()), n, "items that the order does not name")
    return found


def check(data: bytes, secret: bytes | None = None) -> int:
    """Everything that the page tells a checker to do; gives how many facts were folded. Raises Wrong."""
    lines = read(data)
    header, last = lines[0], lines[-1]
    must(not any("secret" in line for line in lines[:-1]), 0, "the secret is out too early")
    key = bytes.fromhex(last["secret"]) if "secret" in last else secret
    assert key is not None
    must(h(key) == header["commit"], 0, "not the secret committed to")
    dice, fold = DiceCheck(key, header), Fold(header)
    for line in lines:
        n = line["n"]
        must(line["seals"].keys() == line["parts"].keys() == audiences(header["sides"]), n, "audiences")
        for audience, part in line["parts"].items():
            salt = mac(key, f"salt|{header['game']}|{n}|{audience}")
            must(line["seals"][audience] == h(salt + c(part)), n, f"the seal for {audience}")
        items = items_of(line)
        dice.skip(n, line.get("skip", {}))
        for kind, body, _ in items:
            if kind == "roll":
                dice.check(n, body)
        fold.add(line, items)
        position = h(mac(key, f"position|{header['game']}|{n}") + fold.position.hash().encode())
        must(line["position"] == position, n, "the position")
    return fold.facts


class DiceCheck:
    """Step 4."""

    def __init__(self, secret: bytes, header: Object) -> None:
        self.secret, self.game, self.nonces = secret, header["game"], sorted(map(list, header["nonces"].items()))
        self.used: dict[str, int] = {}

    def number(self, *what: Any) -> int:
        kind, *rest = what
        return int.from_bytes(mac(self.secret, c([kind, self.game, self.nonces, *rest])), "big")

    def skip(self, n: int, skipped: dict[str, int]) -> None:
        for stream, k in skipped.items():
            before = self.used.get(stream, 0) if stream else max(self.used.values(), default=0)
            must(k >= max(1, before), n, "dice skipped backwards")
            self.used[stream] = k

    def check(self, n: int, body: Object) -> None:
        if "of" in body:
            pile = f"{body['stream'].removeprefix('pile ')}/{body['shuffle']}"
            pile += f"/{self.used['']}" if "" in self.used else ""
            lowest = min(body["of"], key=lambda card: self.number("rank", pile, card))
            must(body["of"] == sorted(body["of"]) and body["of"][body["value"] - 1] == lowest, n, "a card")
            return
        stream, k, sides = body["stream"], body["k"], body["sides"]
        must(k == max(self.used.get(stream, 0), self.used.get("", 0)) + 1, n, "the count of a stream")
        self.used[stream] = k
        attempt, most = 0, 2**256 // sides * sides
        while (number := self.number("roll", stream, k, attempt)) >= most:
            attempt += 1
        must(body["value"] == number % sides + 1, n, "a die")


class Place:
    """A position, or the view of a reader."""

    def __init__(self, units: dict[str, str], reader: str = "") -> None:
        self.units, self.reader = units, reader  # of each unit its side
        self.clock: Object = {"turn": 0, "stage": "", "side": ""}
        self.end: Object = {"result": "", "winner": "", "points": []}
        self.sections: dict[str, Object] = {name: {} for name in SECTIONS}
        self.views: dict[str, Place] = {}

    def seen_by(self, reader: str) -> Place:
        twin = Place(self.units, reader)
        twin.clock, twin.end = self.clock, self.end
        twin.sections = json.loads(json.dumps(self.sections))
        return twin

    def hash(self) -> str:
        digests = {name: h(c(value)) for name, value in {**self.sections, "clock": self.clock, "end": self.end}.items()}
        return h(c({**digests, "views": {side: view.hash() for side, view in self.views.items()}}))

    def bear(self, subject: str, marks: Object) -> None:
        self.put("marks", subject, marks)

    def put(self, section: str, key: str, value: Any) -> None:
        """Nothing is kept that says nothing."""
        if value:
            self.sections[section][key] = value
        else:
            self.sections[section].pop(key, None)

    def apply(self, fact: Object) -> None:
        where, lost, marks = (self.sections[name] for name in ("where", "lost", "marks"))
        unit = fact.get("unit", "")
        match fact["fact"]:
            case "StageBegan":
                self.clock = {key: fact[key] for key in ("turn", "stage", "side")}
            case "Placed":
                where[unit] = fact["at"]
                if fact.get("lost") is not None:
                    self.put("lost", unit, fact["lost"])
            case "Moved":
                where[unit] = fact["path"][-1]
            case "StepLost":
                self.put("lost", unit, lost.get(unit, 0) + fact.get("steps", 1))
            case "StepGained":
                self.put("lost", unit, max(0, lost.get(unit, 0) - fact.get("steps", 1)))
            case "Eliminated":
                where[unit] = "eliminated"
                self.bear(unit, {})
                self.put("unsure", unit, None)
            case "Turned":
                where[unit], where[fact["into"]] = "turned", fact["at"]
                self.bear(fact["into"], marks.pop(unit, {}))
            case "Marked" | "Noted":
                had = {name: value for name, value in marks.get(fact["subject"], {}).items() if name != fact["mark"]}
                value = fact.get("value", 1)
                self.bear(fact["subject"], had if value is None else {**had, fact["mark"]: value})
            case "Wiped":
                for subject, had in list(marks.items()):
                    if not fact.get("side") or self.units.get(subject) == fact["side"]:
                        self.bear(subject, {name: value for name, value in had.items() if name not in fact["marks"]})
            case "Counted":
                self.sections["tracks"][fact["track"]] = fact["value"]
            case "TookHex":
                self.sections["owners"][fact["hex"]] = fact["side"]
            case "Pooled":
                self.sections["pools"][fact["pool"]] = list(fact["items"])
            case "Drew":
                if fact["pool"] in self.sections["pools"]:
                    self.sections["pools"][fact["pool"]].remove(fact["item"])
            case "Sighted" if self.reader == fact["by"]:
                where[unit] = fact["at"]
                self.put("lost", unit, fact.get("lost", 0))
                self.put("unsure", unit, "unknown" if fact.get("lost", 0) is None else None)
                self.bear(unit, dict(fact.get("marks", [])))
            case "LostSight" if self.reader == fact["by"]:
                where[unit] = "unseen"
                for section in ("marks",) if fact.get("kept") else ("lost", "unsure", "marks"):
                    self.put(section, unit, None)
                if fact.get("kept"):
                    self.sections["unsure"].setdefault(unit, "last seen")
            case "Doubted" if self.reader == fact["by"]:
                self.sections["unsure"].setdefault(unit, "last seen")
            case "SeatTaken":
                self.sections["seats"][fact["seat"]] = fact["side"]
            case "GameEnded":
                self.end = {
                    "result": fact["result"],
                    "winner": fact.get("winner", ""),
                    "points": fact.get("points", []),
                }
            case "Sighted" | "LostSight" | "Doubted" | "Fought" | "Chose" | "Halted" | "Told":
                pass
            case name:
                raise Wrong(f"an unknown fact {name}")


class Fold:
    """Steps 5 to 7: the facts in force."""

    def __init__(self, header: Object) -> None:
        self.chairs = header["chairs"]
        self.units = {unit: side for side, units in header["units"].items() for unit in units}
        self.in_force: list[tuple[int, list[tuple[str, Object, str]]]] = []
        self.position = Place(self.units)
        self.facts = 0

    def add(self, line: Object, items: list[tuple[str, Object, str]]) -> None:
        n = line["n"]
        if "back" in line:
            must(not items, n, "it goes back and has items")
            self.go_back(n, line["back"]["line"], line["back"]["point"])
        self.in_force.append((n, items))
        self.take(n, items)

    def go_back(self, n: int, to: int, point: int | None) -> None:
        while self.in_force and self.in_force[-1][0] > to:
            self.in_force.pop()
        must(self.in_force and self.in_force[-1][0] == to, n, "it goes back to a line that is not in force")
        if point is not None:
            must(0 <= point <= len(self.in_force[-1][1]), n, "it goes back to an item that is not in force")
            self.in_force[-1] = to, self.in_force[-1][1][:point]
        self.position = Place(self.units)
        for number, items in self.in_force:
            self.take(number, items)

    def take(self, n: int, items: list[tuple[str, Object, str]]) -> None:
        for kind, body, _ in items:
            if kind == "fact":
                self.apply(body)
            elif kind == "answer":
                clock = self.position.clock
                must(body["key"].startswith(f"{clock['turn']}/{clock['stage']}/"), n, "the key of an answer")

    def apply(self, fact: Object) -> None:
        self.facts += 1
        only, position = fact.get("only"), self.position
        if only is not None and not position.views:
            position.views = {side: position.seen_by(side) for side in self.chairs}
        for side, view in position.views.items():
            if only is None or side in only:
                view.apply(fact)
        position.apply(fact)


def check_copy(data: bytes) -> None:
    """A reader's copy: the chain, and his own parts against their seals."""
    for line in read(data):
        must(line["parts"].keys() == line["salts"].keys(), line["n"], "salts")
        for audience, part in line["parts"].items():
            salt = bytes.fromhex(line["salts"][audience])
            must(line["seals"][audience] == h(salt + c(part)), line["n"], f"the seal for {audience}")


# --- the logs it is tried on


def short_game(book: str, answers: int = 120) -> Campaign:
    """A game by bots, with a rewind and two restores on the way, given up before its end so that the secret is out."""
    game = games.find_game(book)
    campaign = Campaign.new(None, game, seed=1944, nonces={side: f"words of {side}" for side in game.sides})
    bot = RandomLegal(7)
    for number in range(answers):
        if campaign.over:
            break
        ask = next(ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        campaign.submit(ask.side, [bot.answer(campaign.referee.table, ask)])
        if number == answers // 2:
            campaign.rewind(campaign.count - 5)
        if number in (answers // 3, 2 * answers // 3):
            campaign.skip(0)
    if not campaign.over:
        campaign.conclude("given up", "", by="moderator")
    campaign.reveal()
    return campaign


def rows(campaign: Campaign, side: str | None = None) -> bytes:
    lines = campaign.lines() if side is None else export(campaign.lines(), side, campaign.secret)
    return b"".join(canonical(line) + b"\n" for line in lines)


def sealed_again(data: bytes, secret: bytes, change: Callable[[Object], bool]) -> bytes:
    """The log of a referee who cheats: a line changed, everything sealed and chained anew."""
    lines = [json.loads(row) for row in data.split(b"\n")[:-1]]
    game, prev = lines[0]["game"], "0" * 64
    assert sum(change(line) for line in lines) >= 1
    for line in lines:
        line["prev"] = prev
        for audience, part in line["parts"].items():
            line["seals"][audience] = h(mac(secret, f"salt|{game}|{line['n']}|{audience}") + c(part))
        prev = line["hash"] = h(c({k: v for k, v in line.items() if k not in ("parts", "hash")}))
    return b"".join(c(line) + b"\n" for line in lines)


def of_kind(line: Object, kind: str) -> Iterator[Object]:
    yield from (entry[2] for part in line["parts"].values() for entry in part if entry[1] == kind)


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_a_log_of_every_rulebook_is_found_sound(book: str) -> None:
    campaign = short_game(book)
    assert check(rows(campaign)) > 100
    for side in campaign.game.sides:
        check_copy(rows(campaign, side))


@pytest.mark.parametrize("seed", range(3))
def test_a_finished_game_and_one_under_way_are_found_sound(seed: int) -> None:
    assert check(rows(played(None, seed))) > 0
    under_way = begun(seed=seed)
    assert check(rows(under_way), under_way.secret) > 0


@pytest.fixture(scope="module")
def log_and_secret() -> tuple[bytes, bytes]:
    campaign = played(None, 3)
    return rows(campaign), campaign.secret


def test_a_changed_byte_is_found_wherever_it_stands(log_and_secret: tuple[bytes, bytes]) -> None:
    data, _ = log_and_secret
    for at in range(0, len(data), 97):
        with pytest.raises((Wrong, ValueError, KeyError, IndexError, TypeError)):
            check(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def test_a_line_left_out_is_found(log_and_secret: tuple[bytes, bytes]) -> None:
    lines = log_and_secret[0].splitlines(keepends=True)
    for left_out in range(len(lines)):
        with pytest.raises((Wrong, KeyError, AssertionError)):
            check(b"".join(lines[:left_out] + lines[left_out + 1 :]))


def test_a_die_that_the_secret_does_not_give_is_found_though_all_is_sealed_anew(
    log_and_secret: tuple[bytes, bytes],
) -> None:
    def cheat(line: Object) -> bool:
        for body in of_kind(line, "roll"):
            body["value"] = body["value"] % body["sides"] + 1
            return True
        return False

    with pytest.raises(Wrong, match="a die"):
        check(sealed_again(*log_and_secret, cheat))


def test_a_fact_that_leads_elsewhere_is_found_though_all_is_sealed_anew(log_and_secret: tuple[bytes, bytes]) -> None:
    def cheat(line: Object) -> bool:
        moved = [body for body in of_kind(line, "fact") if body["fact"] == "Moved"]
        for body in moved:
            body["path"] = [*body["path"], "0606"]
        return bool(moved)

    with pytest.raises(Wrong, match="the position"):
        check(sealed_again(*log_and_secret, cheat))


def test_an_answer_to_another_question_is_found_though_all_is_sealed_anew(
    log_and_secret: tuple[bytes, bytes],
) -> None:
    def cheat(line: Object) -> bool:
        for body in of_kind(line, "answer"):
            body["key"] = "99/" + body["key"].partition("/")[2]
            return True
        return False

    with pytest.raises(Wrong, match="the key of an answer"):
        check(sealed_again(*log_and_secret, cheat))
