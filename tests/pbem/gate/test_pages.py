"""The pages about the gate are true: every example in them is run."""

from __future__ import annotations

import doctest
from functools import partial
from pathlib import Path

import pytest

from pbem.gate import RULES
from tests.pbem.gate import gatehouse, keys
from tests.pbem.gate.conftest import NewGate

DOCS = Path(__file__).parents[3] / "docs" / "gate"
PAGES = sorted(DOCS.glob("*.md"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_is_true(page: Path, new_gate: NewGate) -> None:
    gate = new_gate()
    names = {name: getattr(gatehouse, name) for name in ("ANNA", "BORIS", "CLARA", "MODERATOR", "OWN")}
    names |= {"gate": gate, "new_gate": new_gate, "signed": keys.signed, "dns_of": keys.dns_of, "partial": partial}
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), names, page.stem, str(page), 0)
    report: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append).failed
    assert test.examples
    assert not failed, "".join(report)


def test_every_rule_has_its_page_and_every_page_its_rule() -> None:
    rules = {rule.__module__.rpartition(".")[2] for rule in RULES}
    assert {page.stem for page in PAGES} == rules | {"README", "echo"}  # which the others ask
