"""The outpost: one chair, a side that the rules play, a pile, bridges, hidden steps and a corps of two divisions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine import facts as f
from engine.asks import Roll
from engine.bots import RandomLegal, Sensible, play
from engine.campaign import Campaign, NoUndo, replay, verify, verify_lines
from engine.dice import ForcedDice
from engine.drawer import BRISK, CAREFUL, Drawer
from engine.hexset import members
from engine.log import items
from engine.orders.conditions import read_condition
from engine.orders.order import Order
from engine.position import LAST_SEEN, UNKNOWN, apply
from engine.referee import Referee, Reply
from engine.refusals import Unclear
from engine.rules.chooser import by_die, choose
from engine.rules.sight import glimpsed
from engine.standing import checked, read_standing
from engine.table import Table
from engine.view import view
from tests.engine.outpost import BRIDGES, OUTPOST, TURNS, outpost
from tests.engine.outpost.ground import exits, reach
from tests.engine.outpost.orders import Attack, Blow

SEEDS = range(1, 9)
FIRST, SECOND = BRIDGES


def sat_down(*dice: int, pace: str = BRISK, happened: tuple[f.Fact, ...] = (), **places: str) -> Referee:
    """A referee at the first orders, the pile shuffled (a die of its own) and a dispatch dealt; forced dice."""
    game = outpost(options=places)
    position = game.new_position()
    for fact in (*game.opening(game), *happened):
        apply(position, fact)
    referee = Referee(game, position, ForcedDice([1, *dice]), drawer=Drawer(pace=pace))
    referee.start()
    referee.items = []
    return referee


def seen(referee: Referee) -> Table:
    return referee.table.seen_by("garrison")


def order(referee: Referee, line: str) -> Order:
    return referee.game.book.read(line, referee.table.reading("garrison"))


def chose(reply: Reply, who: str) -> list[f.Chose]:
    return [fact for fact in reply.facts if isinstance(fact, f.Chose) and fact.who == who]


# One chair.


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_one_chair_is_played_to_its_end_and_verifies(seed: int) -> None:
    bot = RandomLegal(seed) if seed % 2 else Sensible(seed)
    campaign = play(outpost(), {"garrison": bot}, seed=seed).campaign
    assert campaign.position.ended in ("the outpost holds", "the outpost has fallen")
    assert not outpost().faults(campaign.referee.table)
    assert verify_lines(campaign.lines(), campaign.secret, outpost).ok
    answers = [item.body["side"] for line in campaign.lines() for item in items(line) if item.kind == "answer"]
    assert set(answers) == {"garrison"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_players_log_folds_to_what_he_sees_after_every_line(seed: int) -> None:
    campaign = play(outpost(), {"garrison": RandomLegal(seed)}, seed=seed).campaign
    lines, own = campaign.lines(), campaign.export("garrison")
    for upto in range(len(lines)):
        truth = replay(lines, outpost(), upto)
        assert replay(own, outpost(), upto, "garrison").to_json() == view(truth, "garrison").to_json()


def test_a_game_of_one_chair_goes_on_from_disk_and_on_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "outpost.jsonl"
    Campaign.new(path, outpost(), seed=3)
    for _ in range(TURNS):
        Campaign.open(path, outpost).expire(["garrison"])
    assert Campaign.open(path, outpost).over
    assert verify(path, outpost).ok


def test_a_side_that_the_rules_play_is_never_asked() -> None:
    referee = sat_down()
    wrong = referee.asks[0]
    with pytest.raises(AssertionError, match="nobody sits there"):
        referee._run._stop_at(type(wrong)(**{**vars(wrong), "side": "raiders"}))


def test_no_sentence_speaks_of_an_opponent() -> None:
    campaign = Campaign.new(None, outpost(), seed=11)
    replies = [
        campaign.rehearse("garrison", f"blow {FIRST}\nend"),
        *(campaign.submit("garrison", "end") for _ in range(4)),
        campaign.submit("garrison", "end"),
    ]
    assert [reply.stopped for reply in replies[1:]] == [*[""] * 4, "the game is over"]
    assert replies[0].stopped == "a dry run ends where a die would be cast"
    assert not any("other side" in reply.stopped for reply in replies)


def test_only_who_has_a_chair_changes_hands_and_gets_lines_back() -> None:
    campaign = Campaign.new(None, outpost(), seed=3)
    campaign.stand("garrison", f"when blow at {FIRST}: yes")
    reply = campaign.correct([f.SeatTaken(seat="garrison", side="")])
    assert reply.handed_back == {"garrison": [f"when blow at {FIRST}: yes"]}


def test_an_order_without_a_die_is_taken_back_and_one_with_a_die_is_not() -> None:
    campaign = Campaign.new(None, outpost(), seed=3)
    campaign.submit("garrison", "move c/2 to 0202")
    campaign.undo(0, by="garrison")
    assert campaign.position.where["c/2"] == "0302"
    campaign.submit("garrison", f"blow {FIRST}")
    assert campaign.count == 4
    with pytest.raises(NoUndo):
        campaign.undo(0, by="garrison")
    assert verify_lines(campaign.lines(), campaign.secret, outpost).ok


# The pile.


def dispatches(campaign: Campaign) -> list[str]:
    facts = [item.fact for line in campaign.lines() for item in items(line) if item.kind == "fact"]
    return [fact.item for fact in facts if isinstance(fact, f.Drew)]


def besieged() -> Campaign:
    """The whole garrison sits in the outpost until the fourth turn."""
    campaign = Campaign.new(None, outpost(options=dict.fromkeys(("a/1", "b/1", "c/2"), OUTPOST)), seed=2)
    for _ in range(3):
        campaign.submit("garrison", "end")
    return campaign


def test_a_pile_is_dealt_to_its_end_and_shuffled_again() -> None:
    campaign = besieged()
    drawn = dispatches(campaign)
    assert sorted(drawn[:3]) == ["dry", "ford", "mud"]
    assert len(drawn) > 3
    assert campaign.position.tracks["dispatches shuffle"] == 4001  # the first of turn 4


def test_going_back_before_a_shuffle_shuffles_anew() -> None:
    campaign = besieged()
    before = campaign.position.tracks["dispatches shuffle"]
    campaign.rewind(2)  # the third card is dealt, and the pile is empty
    campaign.submit("garrison", "end")
    assert campaign.position.tracks["dispatches shuffle"] > before


# Bridges.


def test_a_hexside_is_written_lower_number_first() -> None:
    referee = sat_down()
    for written in ("blow 0303/0402", "blow 0402/0303", "blow the 0402-0303"):
        assert order(referee, written) == Blow(bridge="0303/0402")
    assert order(referee, "blow 0402/0303").line() == "blow 0303/0402"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("blow 0303/0505", "0303 and 0505 share no hexside"),
        ("blow 0303/9999", "there is no hex 9999"),
        ("blow 0303", "'0303' is no hexside"),
        ("blow", "HEX/HEX is missing"),
    ],
)
def test_what_is_no_hexside_is_refused_by_saying_why(line: str, problem: str) -> None:
    with pytest.raises(Unclear, match=problem):
        order(sat_down(), line)


def test_a_blown_bridge_closes_its_way_and_no_other() -> None:
    referee = sat_down(1, W1="0402")
    table = referee.table
    a, b, c = (table.grid.hex(n) for n in ("0402", "0303", "0403"))
    open_before = exits(table)
    referee.submit("garrison", f"move c/2 to 0303\nblow {FIRST}")
    assert referee.position.mark(f"@{FIRST}", "blown") == 1
    assert not reach(table, "W1") >> b & 1
    assert _leads(table, c, b)
    assert not _leads(table, a, b)
    assert exits(table) != open_before


def _leads(table: Table, here: int, there: int) -> bool:
    direction = table.grid.direction(here, there)
    assert direction is not None
    return any(masks[direction] >> here & 1 for masks in exits(table).values())


def test_a_ford_opens_a_way_over_the_river() -> None:
    referee = sat_down(happened=(f.Marked(subject="@0305/0405", mark="ford"),), W3="0405")
    assert "0305" in {referee.table.grid.number_of(h) for h in members(reach(referee.table, "W3"))}
    bare = sat_down(W3="0405")
    apply(bare.position, f.Marked(subject="@0305/0405", mark="ford", value=None))
    assert "0305" not in {bare.table.grid.number_of(h) for h in members(reach(bare.table, "W3"))}


@pytest.mark.parametrize(
    ("standing", "blown"),
    [
        ((), False),
        ((f"when blow at {FIRST}: yes",), True),
        ((f"when blow at {SECOND}: yes",), False),
        ((f"when blow at {SECOND}: yes", "when blow: no"), False),
        ((f"when blow at {FIRST}: no", "when blow: yes"), False),
        (("when blow at 0402/0303: yes",), True),
        (("when blow at 0303: yes",), False),
    ],
)
def test_an_order_for_one_bridge_never_answers_for_its_neighbour(standing: tuple[str, ...], blown: bool) -> None:
    """W1 comes over the first bridge, past a garrison that could blow either."""
    referee = sat_down(1, 1, W1="0402", W2="0601", W3="0605", **{"c/2": "0101"})
    for line in standing:
        referee.drawer.stand("garrison", checked(read_standing(line), "garrison", seen(referee)).line())
    referee.submit("garrison", "end")
    assert bool(referee.position.mark(f"@{FIRST}", "blown")) is blown
    assert referee.position.where["W1"] == ("0402" if blown else "0303")


def test_a_standing_order_for_what_is_no_hexside_is_not_taken() -> None:
    table = seen(sat_down())
    assert checked(read_standing("when blow at 0402/0303: yes"), "garrison", table).subject == "0402/0303"
    with pytest.raises(Unclear, match="no unit, hex, place or formation"):
        checked(read_standing("when blow at 0303/0505: yes"), "garrison", table)


# Knowing by degrees.


def test_the_player_sees_a_counter_and_not_its_steps() -> None:
    table = seen(sat_down())
    assert table.position.where["W2"] == "0504"
    assert table.position.unsure["W2"] == UNKNOWN
    assert list(table.position.possible_steps("W2")) == [1, 2, 3]


def test_a_scout_knows_the_steps_until_the_raiders_have_been_out_of_sight() -> None:
    referee = sat_down(4, W2="0403", W1="0601", W3="0605", **{"c/2": "0303"})
    referee.submit("garrison", "scout W2")
    position = seen(referee).position
    assert (position.lost["W2"], "W2" in position.unsure) == (1, False)
    referee.submit("garrison", "move c/2 to 0202\nend")
    position = seen(referee).position
    assert position.unsure["W2"] == LAST_SEEN
    assert list(position.possible_steps("W2")) == [1, 2]


def test_a_glimpse_shows_where_a_unit_is_and_no_more_of_its_strength_than_was_known() -> None:
    never = sat_down()
    for fact in glimpsed(never.table, "W2", "garrison", "2.2"):
        apply(never.position, fact)
    assert view(never.position, "garrison").unsure["W2"] == UNKNOWN
    known = sat_down(happened=(f.Sighted(unit="W2", by="garrison", at="0504", lost=1), f.StepLost(unit="W2", steps=1)))
    known.position.views["garrison"].lose("W2", 1)  # it did not see that loss
    for fact in glimpsed(known.table, "W2", "garrison", "2.2"):
        apply(known.position, fact)
    his = view(known.position, "garrison")
    assert (his.unsure["W2"], his.lost["W2"], known.position.lost["W2"]) == (LAST_SEEN, 1, 2)


def test_steps_seen_to_fall_narrow_what_is_possible() -> None:
    referee = sat_down(happened=(f.StepLost(unit="W1"),))
    assert list(seen(referee).position.possible_steps("W1")) == [1, 2]


def test_a_forecast_ranges_over_the_steps_that_are_possible() -> None:
    referee = sat_down(W1="0304")
    table = _dry(referee)
    found = referee.game.forecast(table, "garrison", Attack(target="0304", units=("a/1", "b/1")))
    assert found.column == "2-1 to 3-1"
    assert ("strength of W1 not known", "1 to 3 steps") in [(w.what, w.amount) for w in found.working]
    assert ("column 2-1", "1/3 of what is possible") in [(w.what, w.amount) for w in found.working]
    assert sum(chance for _, chance in found.chances) == 1
    assert dict(found.chances)["D2"] == (Fraction(1, 6) + 2 * Fraction(1, 3)) / 3
    assert found.outlook is not None
    assert found.outlook.cost == Fraction(1, 18)


def _dry(referee: Referee) -> Table:
    table = seen(referee)
    return table.suppose([f.Marked(subject="game", mark="ground", value="dry")])


def test_a_forecast_of_what_is_known_is_one_column_and_tells_how_far_beyond_the_table_it_is() -> None:
    referee = sat_down(W1="0304")
    known = f.Sighted(unit="W1", by="garrison", at="0304", lost=2)
    table = _dry(referee).suppose([known])
    found = referee.game.forecast(table, "garrison", Attack(target="0304", units=("a/1", "b/1")))
    assert (found.column, found.working[-1].amount) == ("3-1", "3 columns beyond the table")


@pytest.mark.parametrize(
    ("condition", "holds", "unknown"),
    [
        ("W1 is reduced", False, ["W1 is reduced"]),
        ("W1 is not reduced", False, ["W1 is not reduced"]),
        ("W1 is reduced or c/2 is alive", True, ["W1 is reduced"]),
        ("c/2 is whole", True, []),
        (f"{FIRST} has blown", False, []),
        ("0402/0303 has no blown", True, []),
        ("ground is mud", True, []),
        ("ground is not dry", True, []),
        ("dispatches is 1", True, []),
        ("dispatches is 2 or more", False, []),
        ("dispatches are at least 1 and ground is mud", True, []),
        ("game has ground", True, []),
        ("losses are 1 or more", False, ["losses are 1 or more"]),
    ],
)
def test_a_condition_speaks_of_the_game_and_knows_what_is_not_known(
    condition: str, holds: bool, unknown: list[str]
) -> None:
    referee = sat_down(happened=(f.Marked(subject="game", mark="ground", value="mud"),))
    apply(referee.position, f.Marked(subject="game", mark="ground", value="mud"))
    reading = referee.table.reading("garrison")
    found = read_condition(condition, reading)
    assert (found.holds(reading), found.unknown(reading)) == (holds, unknown)


def test_a_condition_that_rests_on_the_unknown_says_so() -> None:
    reply = sat_down().submit("garrison", "if W1 is reduced: move c/2 to 0203")
    assert [(line.text, line.state) for line in reply.lines] == [
        ("if W1 is reduced (not known: W1 is reduced)", "does not hold")
    ]


# Formations in levels.


@pytest.mark.parametrize(
    ("written", "units"),
    [("First Corps", {"a/1", "b/1", "c/2"}), ("1st Division", {"a/1", "b/1"}), ("2nd Division, a/1", {"c/2", "a/1"})],
)
def test_an_order_for_a_formation_reaches_all_that_belong_to_it(written: str, units: set[str]) -> None:
    assert set(order(sat_down(), f"move {written} to 0202").units) == units  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("standing", "lost"),
    [
        (("when loss for First Corps: lose b/1",), "b/1"),
        (("when loss for First Corps: lose a/1", "when loss for 1st Division: lose b/1"), "b/1"),
        (("when loss for 1st Division: lose b/1", "when loss for First Corps: lose a/1"), "b/1"),
        (("when loss for First Corps: lose b/1", "when loss: lose a/1"), "b/1"),
        (("when loss for 2nd Division: lose b/1",), "a/1"),
        (("when loss: lose b/1 if losses are 2 or more, else lose a/1",), "a/1"),
        (("when loss: lose b/1 if losses are 1 and dispatches is 1, else lose a/1",), "b/1"),
    ],
)
def test_a_standing_order_for_a_corps_reaches_its_divisions_and_the_nearer_one_wins(
    standing: tuple[str, ...], lost: str
) -> None:
    """W1 strikes 0203 at 1-2 or less, with a 6."""
    referee = sat_down(6, W1="0304", W2="0601", W3="0605", **{"c/2": "0101"})
    for line in standing:
        referee.drawer.stand("garrison", checked(read_standing(line), "garrison", seen(referee)).line())
    referee.submit("garrison", "end")
    assert {unit for unit in ("a/1", "b/1") if referee.position.lost.get(unit)} == {lost}


# Clauses with conditions.


@pytest.mark.parametrize(
    ("clause", "lost"),
    [
        ("lose b/1 if losses are 1 or more", "b/1"),
        ("lose b/1 if losses are 2 or more; lose a/1", "a/1"),
        ("lose b/1 if W2 is dead; lose a/1 if 0601 is held", "a/1"),
    ],
)
def test_a_clause_answers_only_where_its_condition_holds(clause: str, lost: str) -> None:
    referee = sat_down(1, W1="0304", W2="0601", W3="0605")
    apply(referee.position, f.Marked(subject="game", mark="ground", value="mud"))
    apply(referee.position, f.Eliminated(unit="c/2", at="0302"))
    written = order(referee, f"attack 0304 with a/1, b/1; {clause}")
    assert written == order(referee, written.line())
    reply = referee.submit("garrison", f"attack 0304 with a/1, b/1; {clause}")
    assert {unit for unit in ("a/1", "b/1") if referee.position.lost.get(unit)} == {lost}
    answers = [item.body for item in reply.items if item.kind == "answer"]
    assert [body["source"] for body in answers] == ["hand", "clause"]
    assert not any("proviso" in body["order"] for body in answers)


def test_a_clause_whose_condition_is_not_understood_is_a_bad_line() -> None:
    reply = sat_down(W1="0304").submit("garrison", "attack 0304 with a/1; lose a/1 if the moon is full")
    assert [isinstance(line.refusal, Unclear) for line in reply.refused] == [True]


def test_a_clause_keeps_its_condition_in_the_drawer() -> None:
    referee = sat_down(W1="0304")
    drawer = Drawer(tied={"garrison": [*order(referee, "end; advance a/1 if 0304 is empty").clauses]})
    again = Drawer.from_json(drawer.to_json(), referee.game.book)
    assert again == drawer
    assert again.withdraw("garrison") == ["advance a/1 if 0304 is empty"]


# The chooser.


def test_the_rules_tell_what_a_raider_chose_and_which_preference_decided() -> None:
    referee = sat_down(1, W1="0402", W2="0601", W3="0605", **{"c/2": "0101"})
    reply = referee.submit("garrison", "end")
    goes, strikes = chose(reply, "W1")
    assert (goes.what, goes.by, goes.trace) == (
        "goes to 0303", "beside a garrison", (("beside a garrison", ("0303",)),),
    )  # fmt: skip
    assert (strikes.what, strikes.by, strikes.trace) == ("strikes at 0203", "the only one", ())
    (goes,) = chose(reply, "W2")  # a preference that nobody meets is skipped; what is left stands in its order
    assert (goes.by, goes.trace) == ("the order they stand in", (("nearest the outpost", ("0401", "0402")),))


def test_a_die_decides_between_those_that_no_preference_tells_apart() -> None:
    chosen = choose(["x", "y", "z"], [("never met", lambda one: one == "?"), ("not x", lambda one: one != "x")])
    assert (chosen.tied, chosen.by) == (("y", "z"), "the order they stand in")
    rolling = by_die(chosen, "who")
    assert next(rolling) == Roll("who", sides=2)
    with pytest.raises(StopIteration) as stopped:
        rolling.send(2)
    found = stopped.value.value
    assert (found.best, found.by, found.trace) == ("z", "the die", (("not x", ("y", "z")), ("the die", ("z",))))


# What will be answered.


def test_the_player_is_told_what_will_be_answered_for_him_and_how_to_change_it() -> None:
    referee = sat_down()
    referee.drawer.stand("garrison", f"when blow at {FIRST}: yes")
    found = referee.drawer.prospects(seen(referee), "garrison")
    assert [(p.question.name, p.answer, p.source, p.change) for p in found] == [
        ("loss", "the first of them lose steps", "by default", "when loss: ask"),
        ("blow", "yes", f"yours, at {FIRST}", f"when blow at {FIRST}: ask"),
        ("blow", "it stays", "by default", "when blow: ask"),
    ]
    referee.drawer.pace = CAREFUL
    referee.drawer.stand("garrison", "when blow: ask")
    found = referee.drawer.prospects(seen(referee), "garrison")
    assert [(p.question.name, p.source, p.change) for p in found] == [
        ("loss", "careful: the game waits for you", "when loss: default"),
        ("blow", f"yours, at {FIRST}", f"when blow at {FIRST}: ask"),
        ("blow", "ask: the game waits for you", "when blow: default"),
    ]


@pytest.mark.parametrize(("pace", "waits"), [(BRISK, False), (CAREFUL, True)])
def test_the_pace_decides_whether_the_raiders_wait(pace: str, waits: bool) -> None:
    referee = sat_down(6, pace=pace, W1="0304", W2="0601", W3="0605", **{"c/2": "0101"})
    referee.submit("garrison", "end")
    assert ([ask.name for ask in referee.asks] == ["loss"]) is waits
    assert referee.position.where["W1"] != OUTPOST
