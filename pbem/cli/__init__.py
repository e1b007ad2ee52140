"""The command line: `pbem VERB`. A file for each small group of verbs, imported when one of them is typed."""

import ast
import importlib
import inspect
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

import games
from pbem.cli.terminal import OneSentence, say

FILES = {  # in the order of the help page
    "library": ("games", "rules", "new-game"),
    "ordering": ("new", "order", "check", "stand", "ask", "forecast", "undo", "withdraw"),
    "machines": ("play", "fuzz"),
    "logs": ("log", "verify"),
    "showing": ("map", "board", "replay", "book", "report", "reference"),
    "benchmarks": ("coverage", "bench"),
    "init": ("init",),
    "serve": ("serve",),
    "watch": ("watch", "health"),
    "moderating": ("game",),
    "housekeeping": ("house",),
}
VERBS = {verb: file for file, verbs in FILES.items() for verb in verbs}


class Verbs(OneSentence):
    """The verbs by name; whoever types one does not wait for what the others need."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _command(cmd_name) if cmd_name in VERBS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(verb, _summary(verb)) for verb in VERBS])


@cache
def _command(verb: str) -> Any:
    """The verb as typer runs it; `game` and `house` are groups of their own."""
    module = importlib.import_module(f"{__name__}.{VERBS[verb]}")
    group: typer.Typer | None = getattr(module, "app", None)
    said = tomllib.loads(Path(__file__).with_name("options.toml").read_text("utf-8"))
    if group is None:
        group = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = _with_options(getattr(module, verb.replace("-", "_")), {**said["any"], **said.get(verb, {})})
        # The example is of a rulebook that is really there.
        told = inspect.cleandoc(function.__doc__ or "").replace("GAME", next(iter(games.titles()), "GAME"))
        group.command(verb, help=told)(function)
    else:
        for one in group.registered_commands:
            if one.callback is not None:
                _with_options(one.callback, said.get(verb, {}).get(one.callback.__name__, {}))
    return typer.main.get_command(group)


def _with_options(function: Callable[..., None], said: dict[str, dict[str, Any]]) -> Callable[..., None]:
    """A verb that knows how what it takes is typed, and what is told of it."""
    hints = get_type_hints(function)
    for name in hints.keys() & said.keys():
        how = dict(said[name])
        if "argument" in how:
            typed = typer.Argument(metavar=how.pop("argument"), **how)
        else:
            typed = typer.Option(*how.pop("flags", [f"--{name.replace('_', '-')}"]), **how)
        function.__annotations__[name] = Annotated[hints[name], typed]
    return function


def _summary(verb: str) -> str:
    """How a verb's docstring begins, or its file's: read, not imported, for a file brings along what its verbs need."""
    tree = ast.parse((Path(__file__).parent / f"{VERBS[verb]}.py").read_bytes())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return (ast.get_docstring(functions.get(verb.replace("-", "_"), tree)) or "").partition("\n")[0]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"Fieldpost {version('fieldpost')}")
        raise typer.Exit


app = typer.Typer(cls=Verbs, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Which one it is.")] = (
        False
    ),
) -> None:
    """Fieldpost: a referee for hex-and-counter wargames. Start with `pbem games`."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
