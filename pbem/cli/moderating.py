"""`pbem game VERB`: the moderator's verbs. By mail the same words follow `moderator`, and run through here too."""

from __future__ import annotations

import inspect
import pkgutil
import textwrap
from collections.abc import Callable
from typing import Any

import typer

import games
from pbem.cli import moderating_mail, moderating_play, moderating_table
from pbem.cli.terminal import sentence
from pbem.clock.clock_rules import BadClock
from pbem.desk.lifecycle import CannotInvite
from pbem.moderator import Act, CannotModerate

# What a mail may ask for without speaking of one game.
NOT_ABOUT_A_GAME = frozenset({"new", "list", "players", "shunted", "retry", "mailbox"})

app = typer.Typer(
    help="Moderate games: set them up, see who owes what, step in. By mail the same words follow `moderator`.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)


def run_verb(act: Act, words: list[str]) -> None:
    """A verb as it stands in a mail. Raises CannotModerate."""
    command = typer.main.get_command(app)
    verbs: dict[str, Any] = getattr(command, "commands", {})
    wanted = words[1] if words[0] == "help" and len(words) > 1 else words[0]
    if words == ["help"]:
        for name, verb in verbs.items():
            act.say(*textwrap.wrap(f"moderator {name}: {_first_sentence(verb)}", 76, subsequent_indent="    "))
        return
    if wanted not in verbs:
        raise CannotModerate(f"there is no verb {wanted!r}; there is {', '.join(verbs)}, and help")
    if words[0] == "help" or "--help" in words:
        act.say(*inspect.cleandoc(verbs[wanted].help or "").replace("pbem game", "moderator").splitlines())
        return
    try:
        command.main(args=words, prog_name="moderator", standalone_mode=False, obj=act)
    except CannotModerate:
        raise
    except (CannotInvite, BadClock) as why:
        raise CannotModerate(str(why)) from None
    except Exception as error:
        said = None if isinstance(error, OSError) else sentence(error)
        if said is None:
            raise
        raise CannotModerate(said) from None


def _first_sentence(verb: Any) -> str:
    return inspect.cleandoc(verb.help or "").partition("\n\n")[0].replace("\n", " ")


def _add(function: Callable[..., Any]) -> None:
    name = function.__name__.strip("_")
    # The sides are the rulebook's, so `--soviet` and the like are not known beforehand.
    loose = {"ignore_unknown_options": True, "allow_extra_args": True} if name == "new" else None
    app.command(name, help=_help(function), context_settings=loose)(function)


def _help(function: Callable[..., Any]) -> str:
    """A verb's docstring, its example on a rulebook that is really there."""
    first = next((module.name for module in pkgutil.iter_modules(games.__path__)), "GAME")
    return inspect.cleandoc(function.__doc__ or "").replace("GAME", first)


for _group in (moderating_table, moderating_play, moderating_mail):
    for _function in _group.VERBS:
        _add(_function)
