"""Going on with a game: from its checkpoint if it leads to what the log seals, else from the log itself."""

from dataclasses import asdict

from engine import log
from engine.campaign.errors import CannotResume, NoSecret
from engine.campaign.folding import put_back
from engine.campaign.lately import Lately
from engine.campaign.line_store import Store
from engine.dice import Dice
from engine.drawer import Drawer
from engine.game import Game
from engine.log import State
from engine.position import Position
from engine.referee import Differs, Referee, Tally

Resumed = tuple[Referee, Dice, Lately]


def secret_of(store: Store) -> bytes:
    if "secret" in store.last:
        return bytes.fromhex(store.last["secret"])
    secret = store.secret()
    if secret is None:
        raise NoSecret(store.name)
    return secret


def state_of(referee: Referee, dice: Dice, lately: Lately) -> State:
    """What the checkpoint keeps: the position at the last top ask, what happened since, what was under way."""
    position, tally = referee.top
    return {
        "top": position.to_json(),
        "tally": asdict(tally),
        "since": [[item.kind, item.body, item.audience] for item in referee.since],
        "dice": dict(dice.used),
        "lately": lately.to_json(),
    }


def resume(store: Store, game: Game, secret: bytes) -> Resumed:
    kept = store.drawer()
    drawer = Drawer.from_json(kept, game.book) if kept else Drawer()
    tied = drawer.copy_of_tied()  # the log has no clauses, and a referee begins without any
    resumed = _resumed(store, game, secret, drawer)
    drawer.tied.update(tied)
    return resumed


def _resumed(store: Store, game: Game, secret: bytes, drawer: Drawer) -> Resumed:
    state = store.checkpoint()
    if state is not None:
        found = _from_checkpoint(store, state, game, secret, drawer)
        if found is not None:
            return found
    lines = store.since(-1)
    header, last = lines[0], lines[-1]
    dice = Dice(secret, header["game"], header["nonces"], log.dice_used(lines))
    happened = [item for _, item in log.items_in_force(lines)]
    try:
        referee = put_back(happened, game, dice, drawer)
    except Differs as differs:
        raise CannotResume(last["n"], last["rules"], str(differs)) from None
    if not _stands(referee, header, last, secret):
        raise CannotResume(last["n"], last["rules"], "the rules lead to another position")
    return referee, dice, Lately.of(lines)


def _from_checkpoint(store: Store, state: State, game: Game, secret: bytes, drawer: Drawer) -> Resumed | None:
    """The referee as the checkpoint has it; None if it does not lead to the position that the log seals."""
    header = store.header
    try:
        dice = Dice(secret, header["game"], header["nonces"], state["dice"])
        position = Position.from_json(game.setting, state["top"])
        referee = Referee(game, position, dice, drawer=drawer, tally=Tally(**state["tally"]))
        since = [log.Item(kind, body, audience) for kind, body, audience in state["since"]]
        referee.feed(since)
        lately = Lately.from_json(state["lately"])
    except (Differs, KeyError, TypeError, ValueError):
        return None
    referee.items = []
    return (referee, dice, lately) if _stands(referee, header, store.last, secret) else None


def _stands(referee: Referee, header: log.Line, last: log.Line, secret: bytes) -> bool:
    sealed = log.position_seal(secret, header["game"], last["n"], referee.position.hash())
    return bool(sealed == last["position"])
