"""The game's README tells every reading that the ledger takes."""

from engine.ledger import load_ledger
from games.korsun_spi import RULEBOOK


def test_the_readme_lists_every_reading_of_the_ledger() -> None:
    ledger = load_ledger(RULEBOOK.folder / "rules.toml")
    readme = (RULEBOOK.folder / "README.md").read_text(encoding="utf-8")
    missing = [case.id for case in ledger if case.reading and f"| {case.id} {case.title} |" not in readme]
    assert not missing
    assert all(case.reading.replace("|", "or") in readme for case in ledger if case.reading)
