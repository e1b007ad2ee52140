"""The moderator's verbs, in one table: each is one function, for the terminal and for his mail alike."""

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, get_type_hints

import typer

import games
from pbem.moderator import arranging, keeping, listing, readdressing, ruling, setting_up, sorting, timing
from pbem.moderator.act import TERMS, Act, GameId, TextFrom

Opened = Callable[[str], AbstractContextManager[Act]]  # by the verb

VERBS: dict[str, Callable[..., None]] = {
    "new": setting_up.new,
    "duel": setting_up.duel,
    "list": listing.list_games,
    "show": listing.show,
    "players": listing.players,
    "pause": timing.pause,
    "resume": timing.resume,
    "extend": timing.extend,
    "terms": timing.terms,
    "substitute": arranging.substitute,
    "address": readdressing.address,
    "token": readdressing.token,
    "spectator": arranging.announce_spectator,
    "close": arranging.close,
    "export": keeping.export,
    "archive": keeping.archive,
    "act": ruling.act_for,
    "rewind": ruling.rewind,
    "correct": ruling.correct,
    "press": arranging.press,
    "shunted": sorting.shunted,
    "retry": sorting.retry,
    "resend": sorting.resend,
    "mailbox": readdressing.new_password,
}
LOOKS = ("list", "show", "players", "shunted")  # they write no rows: a locked database can still be read


def told(verb: str) -> str:
    """A verb's docstring, its example on a rulebook that is really there."""
    return inspect.cleandoc(VERBS[verb].__doc__ or "").replace("GAME", next(iter(games.titles()), "GAME"))


def is_about_a_game(verb: str) -> bool:
    return "game" in (hints := _hints(VERBS[verb])) and hints["game"] == GameId


def front_end(opened: Opened) -> typer.Typer:
    """The verbs as commands; `opened` gives each the act within which it is done."""
    app = typer.Typer(
        help="Moderate games: set them up, see who owes what, step in. By mail the same words follow `moderator`.",
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, function in VERBS.items():
        # The sides are the rulebook's, so `--soviet` and the like are not known beforehand.
        loose = {"ignore_unknown_options": name in ("new", "duel")}
        app.command(name, help=told(name), context_settings=loose)(_command(function, partial(opened, name)))
    return app


def _command(function: Callable[..., None], opened: Callable[[], AbstractContextManager[Act]]) -> Callable[..., None]:
    """A verb without its act, as the front end calls it; texts have been read when it is run."""
    hints = _hints(function)
    texts = [name for name, hint in hints.items() if hint == TextFrom]

    def command(**given: Any) -> None:
        with opened() as act:
            function(act, **{name: act.read(value) if name in texts else value for name, value in given.items()})

    signature = inspect.signature(function)
    _, *given = signature.parameters.values()
    wanted = [one.replace(annotation=hints[one.name]) for one in given if one.kind is not one.VAR_KEYWORD]
    spread = [name for one in given if one.kind is one.VAR_KEYWORD for name in hints[one.name].__metadata__[0]]
    own = inspect.Parameter.KEYWORD_ONLY
    wanted += [inspect.Parameter(name, own, default=None, annotation=TERMS[name][1]) for name in spread]
    command.__signature__ = signature.replace(parameters=wanted)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in wanted}
    return command


def _hints(function: Callable[..., None]) -> dict[str, Any]:
    return get_type_hints(function, include_extras=True)
