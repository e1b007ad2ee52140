"""The shelf: rulebooks with their scenarios, their cases looked up, a new one begun."""

from pathlib import Path

import games as shelf
from engine.folder import Scenario, Switch
from engine.ledger import Case, load_ledger
from pbem.cli.terminal import CannotDo, say, table, wrapped
from pbem.wording.option_values import spelled
from pbem.workshop.new_game import new_game as write


def games() -> None:
    """List the rulebooks, with their scenarios and options.

    Example: pbem games
    """
    books = shelf.titles()
    if not books:
        say("There is no rulebook on the shelf yet.")
    for book in books.values():
        say(f"{book.id}: {book.title} (rules {book.version})")
        say(wrapped(book.about))
        told: dict[tuple[Switch, ...], str] = {}
        for scenario in book.scenarios:
            say()
            _show_scenario(scenario, told.get(scenario.choices, ""))
            told.setdefault(scenario.choices, scenario.id)
        say()
    for draft in shelf.drafts().values():
        say(f"Being written, and not offered yet: {draft.id}, {draft.title}.")
    for problem in shelf.left_out():
        say(f"Left out: {problem}.")


def _show_scenario(scenario: Scenario, same_options: str) -> None:
    say(f"  --scenario {scenario.id}: {scenario.title}, {scenario.turns} turns")
    if scenario.about not in ("", scenario.title):
        say(wrapped(scenario.about, 4))
    if scenario.choices and same_options:
        say(f"    options as in {same_options}")
        return
    for choice in scenario.choices:
        values = "|".join(spelled(value) for value in choice.values)
        usual = spelled(choice.default)
        say(f"    --option {choice.name}={values}  ({usual} by itself; case {choice.case})")
        say(wrapped(choice.about, 8))


def rules(game: str, case: str = "") -> None:
    """Show a case of a rulebook: what it asks, how it was read, where it is done.

    A whole section by its number (9.0), or the cases that hold some words; without CASE, all titles.

    Example: pbem rules GAME 9.66
    """
    book = shelf.title(game)
    path = book.folder / "rules.toml"
    if not path.exists():
        raise CannotDo(f"{book.id} has no case ledger")
    ledger = load_ledger(path)
    if not case:
        say(table([(c.id, c.kind, c.title) for c in ledger], 0))
        return
    found = [ledger.get(case)] if case in ledger else []
    parts = [c for c in ledger.find(case) if c not in found]
    if not found and not parts:
        ledger.get(case)  # which says that there is none
    for one in found:
        _show_case(one)
    if found and parts:
        say()
    say(table([(c.id, c.kind, c.title) for c in parts], 0)) if parts else None


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


def new_game(name: str) -> None:
    """Begin a rulebook in `games` of the current folder: every file it needs, playable as it is.

    In a copy of the source it gets its first tests, too.

    Example: pbem new-game NAME
    """
    for path in write(name, Path()):
        say(path.as_posix())
    say()
    say(f"Now play it, here: pbem play {name} --bots random --log {name}.jsonl")
    say(f"Then write its pages: pbem reference {name} -o docs/reference")
