"""A game with one chair, from the invitation to the archive: no sentence speaks of anybody who is not there."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.campaign import verify
from games import find_game
from pbem.cli import app
from pbem.moderator import Act
from pbem.moderator.act import CannotModerate
from pbem.moderator.arranging import announce_spectator, close
from pbem.moderator.keeping import archive
from pbem.moderator.listing import list_games, show
from pbem.moderator.setting_up import new
from pbem.service.spectators import report_to_spectators
from pbem.store import MailOut
from pbem.wording.rulings import HEADING
from tests.engine.outpost import RULEBOOK
from tests.pbem.desk.office import Office, html_of, text_of
from tests.pbem.houses import log_of
from tests.pbem.replay.test_page import parts_of
from tests.pbem.shelf import only

NOBODY = re.compile(r"opponent|other (side|player|chair)|both (side|player)|\bbot\b|accept (undo|draw)", re.I)
ANNA = "anna@mill.example"
LOOKER = "carl@hill.example"


class Alone(Office):
    """An office in which every letter is looked through for somebody who is not there."""

    def mail(self, side: str, text: str, **more: Any) -> list[MailOut]:
        return self.read(super().mail(side, text, **more))

    def wait(self, hours: float) -> list[MailOut]:
        return self.read(super().wait(hours))

    def read(self, letters: list[MailOut]) -> list[MailOut]:
        for letter in letters:
            assert not NOBODY.search(text_of(letter)), text_of(letter)
            assert not NOBODY.search(html_of(letter))
        return letters

    def said(self, text: str) -> str:
        """A mail of the one player; its one answer."""
        (answer,) = [letter for letter in self.mail("garrison", text) if letter.key.startswith("answer/")]
        return text_of(answer)

    def do(self, verb: Callable[..., Any], *args: Any, **more: Any) -> str:
        """An act of the moderator; what he is told."""
        with self.house.transaction() as session:
            act = Act(self.house, session)
            verb(act, *args, **more)
        assert not NOBODY.search("\n".join(act.told))
        return "\n".join(act.told)

    @property
    def campaign(self) -> Any:
        return self.house.campaign(self.game())


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Alone]:
    only(monkeypatch, RULEBOOK)
    office = Alone(tmp_path, "fort", "outpost")
    yield office
    office.house.close()


@pytest.fixture
def office(fresh: Alone) -> Alone:
    fresh.begin({"deadline": "24h"})
    fresh.read(fresh.letters())
    return fresh


def test_a_game_is_set_up_with_its_one_chair_and_no_other(fresh: Alone) -> None:
    with pytest.raises(CannotModerate, match="no side 'raiders' to give away; the rules play it"):
        fresh.do(new, "outpost", ["--garrison", ANNA, "--raiders", "bert@ford.example"])
    with pytest.raises(CannotModerate, match="nobody is to play garrison"):
        fresh.do(new, "outpost", [])
    told = fresh.do(new, "outpost", ["--garrison", ANNA], name="fort", pictures="none")
    assert f"garrison: {ANNA} is invited." in told
    (invitation,) = [letter for letter in fresh.read(fresh.letters()) if letter.to == ANNA]
    assert "against the rules, which play Raiders" in " ".join(text_of(invitation).split())
    assert "garrison (anna@mill.example): to join" in fresh.do(list_games)
    welcome = fresh.said("join as Anna nonce three herons")
    assert "You have joined." in welcome
    assert "YOUR MOVE" in welcome
    assert fresh.game().state == "playing"
    assert "garrison: Anna <anna@mill.example>, UTC, orders missing" in fresh.do(show, "fort")


def test_every_word_of_the_service_can_be_written_alone(office: Alone) -> None:
    page = office.said("help")
    assert "undo LINE -- Goes back to the end of a line, unless a die was cast since." in " ".join(page.split())
    assert "; draw;" not in page.partition("-- \n")[2]
    for verb in ("undo", "press", "accept", "draw", "withdraw", "resign", "standing", "status", "orders", "rule 3.3"):
        office.said(f"help {verb}")
    for text in ("status", "standing", "orders", "map", "log", "withdraw", "wait", "absent for 2 days", "resend"):
        office.said(text)
    office.said("check\nmove c/2 to 0303\nblow 0303/0402\nend")


def test_nobody_has_to_agree_when_one_who_plays_alone_goes_back(office: Alone) -> None:
    office.said("move c/2 to 0303")
    assert office.campaign.position.where["c/2"] == "0303"
    assert "You go back to the end of line 0." in office.said("undo 0")
    assert office.campaign.position.where["c/2"] == "0302"
    assert office.campaign.last["act"] == "undo"
    office.said("end")
    assert "UNDO" in office.said("undo 0")  # dice were cast
    assert office.campaign.last["act"] == "orders"


@pytest.mark.parametrize("text", ["draw", "accept draw", "accept undo"])
def test_there_is_nobody_to_agree_with(office: Alone, text: str) -> None:
    assert "You play alone: there is nobody to agree with." in office.said(text)
    assert office.game().state == "playing"


def test_press_reaches_the_moderator_and_nobody_else(office: Alone) -> None:
    said = " ".join(office.said("press is anybody there?").split())
    assert "There is nobody to read it: you play alone. `press to moderator: TEXT` reaches the moderator." in said
    assert [row.to for row in office.letters() if "is anybody there" in text_of(row)] == []
    letters = office.mail("garrison", "press to moderator: is anybody there?")
    assert sorted(row.to for row in letters) == [ANNA, "vera@field.example"]


def test_the_letter_that_brings_the_turn_tells_what_will_be_answered_in_the_raid(office: Alone) -> None:
    welcome = text_of(next(row for row in office.letters() if row.key.startswith("answer/")))
    told = " ".join(welcome.split())
    assert "loss: the first of them lose steps (by default) your units were hit. To change it: when loss: ask" in told
    assert HEADING.upper() in office.said("end")
    assert HEADING.upper() not in office.said("move c/2 to 0303")


def test_time_goes_by_for_who_plays_alone(office: Alone) -> None:
    assert "Your orders are due" in text_of(office.wait(18.5)[0])
    (report,) = office.wait(6)
    assert "ANSWERED FOR YOU" in text_of(report)
    assert office.campaign.position.turn == 2


def test_who_plays_alone_resigns_to_the_rules(office: Alone) -> None:
    office.said("resign for good")
    assert office.campaign.position.ended == "garrison resigned"
    assert office.campaign.position.winner == "raiders"
    assert office.game().state == "finished"


def test_the_moderator_may_let_the_rules_win(office: Alone) -> None:
    office.do(close, "fort", winner="raiders")
    office.read(office.letters())
    assert office.campaign.position.winner == "raiders"


def test_a_whole_game_alone_ends_in_the_archive_and_onlookers_see_it(office: Alone) -> None:
    office.do(announce_spectator, "fort", LOOKER)
    for _ in range(RULEBOOK.scenarios[0].turns):
        if office.game().state == "playing":
            office.said("end")
    assert office.game().state == "finished"
    report_to_spectators(office.house)
    seen = [row for row in office.read(office.letters()) if row.to == LOOKER]
    assert any(row.key.startswith("spectator/") for row in seen)
    (final,) = [row for row in office.letters() if row.key.startswith("final/")]
    assert "press to moderator: TEXT" in " ".join(text_of(final).split())
    office.do(archive, "fort")
    with zipfile.ZipFile(office.home / "archive" / "fort.zip") as pack:
        assert "fort/replay.html" in pack.namelist()
        page = b"".join(parts_of(pack.read("fort/replay.html").decode()).values()).decode()
        assert "As garrison saw it" in page
        assert "As raiders saw it" not in page
    assert verify(log_of(office.house, "fort"), find_game).ok


def test_the_terminal_speaks_for_the_one_chair_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)

    def pbem(*args: str) -> str:
        said = CliRunner().invoke(app, list(args)).output
        assert not NOBODY.search(said)
        return said

    pbem("new", "outpost", "--log", "a.jsonl", "--seed", "3", "--pace", "careful")
    told = pbem("stand", "--log", "a.jsonl", "--side", "garrison")
    assert "loss -- your units were hit:\n      ask (careful: the game waits for you)" in told
    assert "there is no side 'raiders'; there is garrison" in pbem("ask", "--log", "a.jsonl", "--side", "raiders")
    for verb in ("order", "check", "stand", "undo"):
        pbem(verb, "--help")
