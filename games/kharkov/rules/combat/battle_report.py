"""How a combat is told: strengths, tactics, chits with the side that counted, what changed the hits."""

from collections.abc import Sequence

from engine.facts import Fact, Fought
from engine.forecast import Working
from engine.rules.ground import number
from games.kharkov.data import Table
from games.kharkov.rules.combat import hits
from games.kharkov.rules.combat.chits import Circumstances, circumstances, hits_of, kept_side
from games.kharkov.rules.combat.situation import (
    Combat,
    attack_strength,
    defence_strength,
    defenders,
    drawn,
    halvings,
    required,
)
from games.kharkov.shapes import ChitSide


def column(table: Table, combat: Combat) -> str:
    """12.41-a: the ratio exactly, since every chit has its own bound."""
    return f"{attack_strength(table, combat)}:{defence_strength(table, combat)}"


def working(table: Table, combat: Combat) -> list[Working]:
    """The arithmetic before chits are drawn."""
    found = [
        Working("attack strength", str(attack_strength(table, combat)), "12.41-a"),
        *(Working(what, amount, "12.41-a") for what, amount in halvings(table, combat)),
        Working("defence strength", str(defence_strength(table, combat)), "12.41-a"),
    ]
    for who, tactics in (("attack", combat.attack_tactics), ("defence", combat.defence_tactics)):
        found += [Working(f"{tactic}, {who}", "applied", "12.3") for tactic in tactics]
    found += [Working(f"{unit} joins", "by a tactic", "12.3-d") for unit in combat.attackers if unit in combat.joined]
    found.append(Working("chits required", str(required(table, combat)), "12.4"))
    found.append(Working("chits at the most", str(drawn(table, combat)), "12.4-a"))
    return found


def fought(table: Table, combat: Combat, names: Sequence[str], a: int, d: int) -> Fact:
    """The combat as it was decided, after all reductions."""
    now = circumstances(table, combat, len(names))
    lines = [*working(table, combat), Working("chits drawn", str(len(names)), "12.4"), *hits.changes(table, combat)]
    return Fought(
        kind="attack", attackers=tuple(combat.attackers), defenders=tuple(defenders(table, combat)),
        targets=(number(table, combat.target),), column=column(table, combat),
        decided=tuple(("chit", chit_text(table, name, now)) for name in names),
        result=f"A{a} D{d}", working=tuple(line.noted for line in lines), because="12.5",
    )  # fmt: skip


def chit_text(table: Table, name: str, now: Circumstances) -> str:
    """A chit, the situation that counted, and its hits."""
    side = kept_side(table.data.tables["chits"][name], now)
    if side is None:
        return f"{name} set aside"
    a, d = hits_of(side, now.side)
    told = " ".join(f"{letter}{number_}" for letter, number_ in (("A", a), ("D", d)) if number_)
    return f"{name} {situation_text(side)} {told}"


def situation_text(side: ChitSide) -> str:
    """The situation of a chit's side in words."""
    match side["when"]:
        case "ratio at least" | "ratio above" | "ratio below" as bound:
            return f"{bound} {side.get('ratio', 0):g}:1"
        case "terrain":
            return " or ".join(side.get("terrain", ()))
        case "command value":
            return f"command value {side.get('value')}"
    return side["when"]
