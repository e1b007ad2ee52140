"""What is on the shelf: rulebooks with their scenarios, and the cases of one."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Annotated, Any

import typer

import games as shelf
from engine.game import Choice, Scenario
from engine.ledger import Case, Ledger, load_ledger
from pbem.cli.terminal import CannotDo, GameName, rulebook, say, spellings, table


def games() -> None:
    """List the rulebooks, with their scenarios and options.

    Example: pbem games
    """
    books = shelf.rulebooks()
    if not books:
        say("There is no rulebook on the shelf yet.")
    for book in books.values():
        say(f"{book.id}: {book.title} (rules {book.version})")
        say(_wrapped(book.about))
        told: dict[tuple[Choice, ...], str] = {}
        for scenario in book.scenarios:
            say()
            _show_scenario(scenario, told.get(scenario.choices, ""))
            told.setdefault(scenario.choices, scenario.id)
        say()


def _show_scenario(scenario: Scenario, same_options: str) -> None:
    say(f"  --scenario {scenario.id}: {scenario.title}, {scenario.turns} turns")
    if scenario.about not in ("", scenario.title):
        say(_wrapped(scenario.about, 4))
    if scenario.choices and same_options:
        say(f"    options as in {same_options}")
        return
    for choice in scenario.choices:
        values = "|".join(spellings(value)[0] for value in choice.values)
        usual = spellings(choice.default)[0]
        say(f"    --option {choice.name}={values}  ({usual} by itself; case {choice.case})")
        say(_wrapped(choice.about, 8))


def rules(
    game: GameName,
    case: Annotated[str, typer.Argument(metavar="[CASE]", help="A number, a section, or words.")] = "",
) -> None:
    """Show a case of a rulebook: what it asks, how it was read, where it is done.

    A whole section by its number (9.0), or the cases that hold some words; without CASE, all titles.

    Example: pbem rules GAME 9.66
    """
    book = rulebook(game)
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
            say(_wrapped(f"{head}: {' '.join(text.split())}"))


def _wrapped(text: str, indent: int = 2) -> str:
    return textwrap.fill(text, 100, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))


VERBS: tuple[Callable[..., Any], ...] = (games, rules)
