"""Looking up the cases of a rulebook."""

from typing import Annotated

import typer

import games
from engine.ledger import Case, Ledger, load_ledger
from pbem.cli.terminal import CannotDo, GameName, say, table, wrapped


def rules(
    game: GameName,
    case: Annotated[str, typer.Argument(metavar="[CASE]", help="A number, a section, or words.")] = "",
) -> None:
    """Show a case of a rulebook: what it asks, how it was read, where it is done.

    A whole section by its number (9.0), or the cases that hold some words; without CASE, all titles.

    Example: pbem rules GAME 9.66
    """
    book = games.title(game)
    path = book.folder / "rules.toml"
    if not path.exists():
        raise CannotDo(f"{book.id} has no case ledger")
    ledger = load_ledger(path)
    if not case:
        say(table([(c.id, c.kind, c.title) for c in ledger], 0))
        return
    found = [ledger.get(case)] if case in ledger else []
    parts = [c for c in _search(ledger, case) if c not in found]
    for one in found:
        _show_case(one)
    if found and parts:
        say()
    say(table([(c.id, c.kind, c.title) for c in parts], 0)) if parts else None


def _search(ledger: Ledger, text: str) -> list[Case]:
    """The parts of a case or what holds the words; raises NoSuchCase when there is nothing."""
    found = ledger.find(text)
    if not found:
        ledger.get(text)
    return found


def _show_case(case: Case) -> None:
    say(f"{case.id}  {case.title}  ({case.kind})")
    for head, text in (
        ("asks", case.requires),
        ("read as", case.reading),
        ("decides", case.decides),
        ("hidden", case.hidden),
        ("see", ", ".join(case.see)),
        ("done in", ", ".join(case.done) or "nowhere yet"),
    ):
        if text and (head != "done in" or case.counts or case.done):
            say(wrapped(f"{head}: {' '.join(text.split())}"))
