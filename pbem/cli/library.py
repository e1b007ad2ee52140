"""What is on the shelf: rulebooks with their scenarios."""

import games as shelf
from engine.folder import Scenario, Switch
from pbem.cli.terminal import say, wrapped
from pbem.wording.option_values import spelled


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
