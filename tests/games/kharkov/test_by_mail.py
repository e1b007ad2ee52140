"""The game by mail: one chair, an impulse a mail or several, the Soviet answer with its reasons, the hand, the odds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.log import items
from engine.refusals import passes
from pbem.moderator.act import CannotModerate
from pbem.moderator.setting_up import new
from tests.pbem.desk.office import html_of, message_of, report_of, text_of
from tests.pbem.desk.test_one_chair import ANNA, Alone

REASON = re.compile(r"method [\w ]+: to \d{4}; .+ \[9\.2\d")
FOUGHT = re.compile(r"Attack on \d{4}[\w ]*: \d+:\d+, [3-9] chits, A\d D\d")


class Kharkov(Alone):
    """An office in which one plays the Germans."""

    def said(self, text: str) -> str:
        (answer,) = [letter for letter in self.mail("german", text) if letter.key.startswith("answer/")]
        self.last = answer
        return text_of(answer)

    @property
    def commands(self) -> list[str]:
        """Cards that may be played for a whole corps now."""
        return [choice.line() for choice in self.campaign.asks[0].choices() if choice.kind.verb == "activate"]

    def until(self, wanted: re.Pattern[str]) -> str:
        """Impulse after impulse until a letter tells it."""
        for _ in range(12):
            told = self.said(f"{self.commands[0] if self.commands else 'default'}\nend impulse")
            if wanted.search(flat(told)):
                return told
        pytest.fail(f"no letter told of {wanted.pattern}")

    def attack_with_a_choice(self) -> str:
        """An attack in which more chits may be drawn than must; what is needed for it is ordered."""
        for _ in range(12):
            self.said(f"{self.commands[0] if self.commands else 'default'}\nend moves")
            ask, table = self.campaign.asks[0], self.campaign.referee.table.seen_by("german")
            begun = [choice for choice in ask.choices() if choice.kind.forecastable]
            whole = [one for choice in begun for one in (choice, *choice.following()) if one.complete]
            for order in (choice.order() for choice in whole):
                if passes(ask.check, order) and table.game.forecast(table, "german", order).also:
                    return str(order.line())
            self.said("end impulse")
        pytest.fail("no attack leaves a choice")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Kharkov]:
    office = Kharkov(tmp_path, "alone", "kharkov")
    yield office
    office.house.close()


@pytest.fixture
def office(fresh: Kharkov) -> Kharkov:
    fresh.begin(scenario="initial_assault")
    fresh.read(fresh.letters())
    return fresh


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "nobody is to play german: write --german ADDRESS or bot:sensible"),
        (["--soviet", ANNA], "no side 'soviet' to give away; the rules play it: write --german ADDRESS and no other"),
        (["--german", ANNA, "--soviet", ANNA], "the rules play it: write --german ADDRESS and no other"),
        (["--german", ANNA, "--german", ANNA], "--german is said twice"),
    ],
)
def test_what_is_missing_or_too_much_is_told_with_what_to_write(fresh: Kharkov, words: list[str], problem: str) -> None:
    with pytest.raises(CannotModerate, match=re.escape(problem)):
        fresh.do(new, "kharkov", words)


def test_a_game_is_one_address_and_has_no_deadline(fresh: Kharkov) -> None:
    told = fresh.do(new, "kharkov", ["--german", ANNA], name="alone")
    assert f"german: {ANNA} is invited." in told
    welcome = fresh.said("join as Anna nonce three herons")
    assert "YOUR MOVE" in welcome
    assert "NO DEADLINE" in welcome


def test_one_mail_is_one_impulse_and_the_answer_tells_the_whole_soviet_one(office: Kharkov) -> None:
    told = office.until(REASON)
    assert "Your move: turn 1, impulse" in message_of(office.last)["Subject"]
    assert "WHAT THE RULES DID, AND WHY" in told
    assert "The Soviets command with E" in flat(told)
    assert "Soviet objectives" in told
    assert "What the rules did, and why" in html_of(office.last)


def test_the_hand_is_told_card_by_card_with_what_each_can_do_now(office: Kharkov) -> None:
    told = office.until(REASON)
    rows = told.partition("YOUR HAND")[2].partition("\n\n")[0]
    hand = office.campaign.position.pools["hand"]
    assert hand
    assert re.findall(r"^  (P\d\d) ", rows, re.M) == sorted(hand)
    assert rows.count("Now: ") == len(hand)
    for line in office.commands:
        written, _, card = line.rpartition(" by ")
        assert written in flat(rows.partition(f"  {card} ")[2])


def test_chits_are_told_in_the_card_of_their_fight_and_nowhere_else(office: Kharkov) -> None:
    told = flat(office.until(FOUGHT))
    assert re.search(r"Drawn: C\d\d .+ · C\d\d", told)
    assert "was drawn from" not in told
    assert "cup" not in told.casefold()
    happened, _, noted = report_of(office.last).partition("Bookkeeping")
    assert "was drawn from cup" not in happened
    assert "was drawn from cup" in noted


def test_several_impulses_may_be_written_ahead_without_closing_each_step(office: Kharkov) -> None:
    first = office.commands[0]
    other = next(line for line in office.commands if line.split()[1] != first.split()[1] and line[-3:] != first[-3:])
    office.said(f"{first}\n{other}\nend impulse")
    assert report_of(office.last).count("-- done") == 3
    assert {first[-3:], other[-3:]} <= {*office.campaign.position.pools["german discards"]}
    assert office.campaign.position.stage == "german.impulse"


def test_an_end_too_many_stops_nothing(office: Kharkov) -> None:
    office.said(f"{office.commands[0]}\nend\nend\nend\nend\nstatus")
    assert "end -- not called for" in report_of(office.last)
    assert "refused" not in report_of(office.last)


def test_a_condition_decides_what_is_done(office: Kharkov) -> None:
    first, *_, last = office.commands
    office.said(f"if 1712 is empty: {first}\nelse: {last}\nend impulse")
    assert first[-3:] in office.campaign.position.pools["german discards"]


def test_what_was_answered_for_the_player_is_told_with_its_source(office: Kharkov) -> None:
    told = flat(office.until(re.compile(r"Answered for you: \w+[^.]* \(by default\)")))
    prospects = told.partition("WHILE OTHERS PLAY")[2]
    assert "attacked: pass: no card is spent (by default)" in prospects
    assert "it is your own attack" not in prospects


def test_a_standing_order_answers_and_the_letter_says_so(office: Kharkov) -> None:
    office.said("when hits: stand")
    office.until(re.compile(r"Answered for you: [^.]*stand \(standing order\)"))


def test_who_said_ask_is_asked_in_the_soviet_impulse(office: Kharkov) -> None:
    office.said("when attacked: ask")
    told = office.until(re.compile(r"is attacked at \d+:\d+ with \d+ chits"))
    assert message_of(office.last)["Subject"].startswith("A question: ")
    assert "YOUR HAND" in told
    assert office.campaign.position.side == "soviet"
    office.said("pass")
    answers = [item.body for item in items(office.campaign.last) if item.kind == "answer"]
    assert answers[0]["order"]["verb"] == "pass"


def test_one_goes_back_alone_until_a_die_or_a_card_falls(office: Kharkov) -> None:
    office.said(office.commands[0])
    assert office.campaign.position.stage == "german.moves"
    assert "You go back to the end of line 0." in office.said("undo 0")
    assert office.campaign.position.stage == "german.impulse"
    office.said(f"{office.commands[0]}\nend impulse")
    office.said("undo 0")
    assert office.campaign.last["act"] == "orders"


def test_the_forecast_counts_the_cup_before_and_after_the_required_chits(office: Kharkov) -> None:
    office.said("when draw: ask")
    line = office.attack_with_a_choice()
    told = flat(office.said(f"forecast {line}"))
    required, most = (int(found) for found in re.findall(r"chits (?:required|at the most) (\d)", told))
    assert re.search(rf"and then with the {required} chits? required:.+ and with all {most} chits:", told)
    told = flat(office.said(line))
    assert "how many more chits" in told
    for more in range(most - required + 1):
        assert f"pull {more}: clears" in told.replace("`", "")
    told = flat(office.said(f"forecast pull {most - required}"))
    assert re.search(rf"{required} chits? drawn already, hits A\d D\d", told)
    assert re.search(rf"and then with {most - required} chits? more:", told)


def test_a_careful_game_waits_where_his_own_units_are_hit(fresh: Kharkov) -> None:
    fresh.begin({"pace": "careful"}, scenario="initial_assault")
    fresh.until(re.compile(r"hits at \d{4}, \d+ steps there: stand, or retreat"))
    assert message_of(fresh.last)["Subject"].startswith("A question: ")
    assert fresh.campaign.position.side == "soviet"
