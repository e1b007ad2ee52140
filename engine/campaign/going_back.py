"""Going back in a game: what a player may not take back, and what was said for a future that is no longer to come."""

from collections.abc import Sequence

from engine import log
from engine.referee import Referee, reveals


def no_return(item: log.Item, by: str) -> str:
    """Why an item cannot be taken back by a player; empty if it can."""
    if item.kind == "roll":
        return f"a die was cast ({item.body['purpose']})"
    if item.kind == "answer" and item.body["side"] != by:
        return f"{item.body['side']} has answered since"
    if item.kind == "fact" and reveals(item.fact):
        return "it showed somebody what he had not known"
    return ""


def taken_out(referee: Referee, sides: Sequence[str]) -> dict[str, list[str]]:
    """Clauses, lines and sealed answers of some sides that were meant for what lay ahead, out of the drawer."""
    drawer = referee.drawer
    taken = {side: drawer.withdraw(side) for side in sides}
    for ask in referee.asks:
        order = drawer.sealed(ask.key) if ask.side in taken else None
        if order is not None:
            taken[ask.side].append(order.line())
            drawer.unseal([ask.key])
    return taken


def pace_after(lines: Sequence[log.Line], line: int, began: str) -> str:
    """The pace of a game after a line: the moderator who goes back takes back the terms; a player's undo does not."""
    paces = [began]
    for each in lines[1 : line + 1]:
        last = paces[each["back"]["line"]] if each["act"] == "rewind" else paces[-1]
        paces.append(each.get("terms", {}).get("pace", last))
    return paces[line]
