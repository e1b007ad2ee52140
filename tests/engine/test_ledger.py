"""The case ledger: found by number or by word, refused when it is wrong."""

from pathlib import Path

import pytest

from engine.ledger import BadLedger, Ledger, NoSuchCase, load_ledger

RULES = """
[[case]]
id = "9.0"
kind = "definition"
title = "Combat"
requires = "Header."
done = []

[[case]]
id = "9.6"
kind = "mechanic"
title = "Results"
requires = "Steps or hexes."
see = ["9.61", "prague-9.6"]
done = ["combat:resolve"]

[[case]]
id = "9.61"
kind = "mechanic"
title = "Step losses"
requires = "The owner chooses the unit."
reading = "Spread freely over the stack."
decides = "the owner"
done = []

[[case]]
id = "19.6"
kind = "table"
title = "Steps"
requires = "Two each."
done = []

[[case]]
id = "prague-9.6"
kind = "optional"
title = "Addendum"
requires = "No losses on turn 1."
hidden = "the number of losses"
done = []
"""


def write(tmp_path: Path, text: str = RULES) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return load_ledger(write(tmp_path))


def numbers(cases: list) -> list[str]:
    return [case.id for case in cases]


def test_the_ledger_keeps_the_rulebooks_order(ledger: Ledger) -> None:
    assert numbers(list(ledger)) == ["9.0", "9.6", "9.61", "19.6", "prague-9.6"]
    assert len(ledger) == 5
    assert "9.61" in ledger


def test_definitions_ask_nothing_of_the_code(ledger: Ledger) -> None:
    assert numbers(ledger.counted) == ["9.6", "9.61", "19.6", "prague-9.6"]
    assert numbers(ledger.by_kind("definition")) == ["9.0"]


def test_an_unknown_case_suggests_numbers_like_it(ledger: Ledger) -> None:
    with pytest.raises(NoSuchCase) as unknown:
        ledger.get("9.62")
    assert unknown.value.case == "9.62"
    assert "9.61" in unknown.value.suggestions
    assert "9.61" in str(unknown.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("9.6", ["9.6", "9.61"]),
        ("9.61", ["9.61"]),
        ("9.0", ["9.0", "9.6", "9.61"]),
        ("9", ["9.0", "9.6", "9.61"]),
        ("prague-9.6", ["prague-9.6"]),
        ("STACK owner", ["9.61"]),
        ("losses", ["9.61", "prague-9.6"]),
        ("cavalry", []),
        ("", []),
    ],
)
def test_a_case_is_found_by_its_number_or_its_words(ledger: Ledger, text: str, found: list[str]) -> None:
    assert numbers(ledger.find(text)) == found


@pytest.mark.parametrize(
    ("old", "new", "case", "problem"),
    [
        ('kind = "table"', 'kind = "chart"', "19.6", "kind"),
        ('id = "19.6"', 'id = "9.61"', "9.61", "twice"),
        ('"prague-9.6"]', '"9.7"]', "9.6", "points to 9.7"),
        ('title = "Steps"', 'heading = "Steps"', "19.6", "title"),
        ("[[case]]", "[[case", "?", ""),
    ],
)
def test_a_mistake_in_the_ledger_says_which_case(tmp_path: Path, old: str, new: str, case: str, problem: str) -> None:
    with pytest.raises(BadLedger) as bad:
        load_ledger(write(tmp_path, RULES.replace(old, new, 1)))
    assert bad.value.case == case
    assert problem in bad.value.problem
    assert str(bad.value).startswith("rules.toml")
