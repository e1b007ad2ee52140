"""Dice: fair, never repeated, checkable by anyone."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import (
    SPAN,
    Dice,
    ForcedDice,
    OutOfDice,
    check_roll,
    commitment,
    new_secret,
    nonce_commitment,
    roll_value,
    secret_from_seed,
)

SECRET = secret_from_seed(1944)
GAME = "cherkassy-07"
NONCES = {"german": "Lysyanka", "soviet": "Zvenigorodka"}


def dice(used: dict[str, int] | None = None) -> Dice:
    return Dice(SECRET, GAME, NONCES, used)


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(1, cells + 1))


# The 99.9 % points of chi-square for sides - 1 degrees of freedom.
@pytest.mark.parametrize(("sides", "limit"), [(2, 10.83), (6, 20.52), (7, 22.46), (10, 27.88), (36, 66.62)])
def test_every_face_of_a_die_comes_up_as_often_as_the_others(sides: int, limit: float) -> None:
    cup = dice()
    faces = Counter(cup.roll("combat", sides).value for _ in range(6000))
    assert set(faces) == set(range(1, sides + 1))
    assert chi_square(faces, sides) < limit


def test_a_roll_does_not_lean_on_the_one_before_it() -> None:
    cup = dice()
    rolls = [cup.roll("combat", 6).value for _ in range(7201)]
    pairs = Counter((a - 1) * 6 + b for a, b in pairwise(rolls))
    assert chi_square(pairs, 36) < 66.62


def test_streams_do_not_lean_on_each_other() -> None:
    cup = dice()
    pairs = Counter((cup.roll("german", 6).value - 1) * 6 + cup.roll("soviet", 6).value for _ in range(7200))
    assert chi_square(pairs, 36) < 66.62


def test_a_roll_in_one_stream_leaves_the_others_where_they_were() -> None:
    quiet, busy = dice(), dice()
    for _ in range(5):
        busy.roll("weather", 6)
    assert [quiet.roll("combat", 6) for _ in range(20)] == [busy.roll("combat", 6) for _ in range(20)]


def test_a_number_too_high_to_be_fair_is_thrown_again() -> None:
    # Cut without throwing again, the lower half of this die would come up twice as often as the upper.
    sides = SPAN * 2 // 3
    rolls = [roll_value(SECRET, GAME, NONCES, "huge", k, sides) for k in range(1, 1001)]
    assert chi_square(Counter(1 if value <= sides // 2 else 2 for value in rolls), 2) < 10.83


def test_rolls_count_from_one_and_go_on_where_the_log_ended() -> None:
    cup = dice()
    first = [cup.roll("combat", 6) for _ in range(4)]
    assert [rolled.k for rolled in first] == [1, 2, 3, 4]
    assert cup.used == {"combat": 4}
    whole = dice()
    later = [whole.roll("combat", 6) for _ in range(6)][4:]
    resumed = dice({"combat": 4})
    assert [resumed.roll("combat", 6), resumed.roll("combat", 6)] == later


def test_a_roll_that_is_refused_uses_up_no_die() -> None:
    cup = dice()
    with pytest.raises(ValueError, match="no die with 0 sides"):
        cup.roll("combat", 0)
    assert cup.roll("combat", 6).k == 1


def test_nobody_can_look_at_a_die_before_it_is_cast() -> None:
    public = {name for name in dir(Dice) if not name.startswith("_")}
    assert public == {"roll", "rank", "skip", "used"}


def test_the_counts_of_the_dice_cannot_be_turned_back() -> None:
    cup = dice()
    cup.roll("combat", 6)
    with pytest.raises(TypeError):
        cup.used["combat"] = 0  # type: ignore[index]


@pytest.mark.parametrize(
    "other",
    [
        Dice(secret_from_seed(1945), GAME, NONCES),
        Dice(SECRET, "cherkassy-08", NONCES),
        Dice(SECRET, GAME, NONCES | {"soviet": "Shpola"}),
        Dice(SECRET, GAME, {"german": "Zvenigorodka", "soviet": "Lysyanka"}),
        Dice(SECRET, GAME, {}),
    ],
)
def test_secret_game_and_every_nonce_change_the_dice(other: Dice) -> None:
    cup = dice()
    mine = [cup.roll("combat", 6).value for _ in range(40)]
    assert [other.roll("combat", 6).value for _ in range(40)] != mine


def test_it_does_not_matter_who_joined_first() -> None:
    turned = Dice(SECRET, GAME, dict(reversed(NONCES.items())))
    assert turned.roll("combat", 6) == dice().roll("combat", 6)


def test_names_run_together_are_not_the_same_names() -> None:
    one = Dice(SECRET, "a", {"b": "c"}).rank("d", "e")
    assert one != Dice(SECRET, "a", {"bc": ""}).rank("d", "e")
    assert one != Dice(SECRET, "a", {"b": "c"}).rank("de", "")


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.text(max_size=8), st.integers(1, 500), st.integers(1, 100))
def test_the_right_value_and_no_other_passes_the_check(stream: str, k: int, sides: int) -> None:
    rolled = dice({stream: k - 1}).roll(stream, sides)
    passing = [v for v in range(sides + 2) if check_roll(SECRET, GAME, NONCES, stream, k, sides, v)]
    assert passing == [rolled.value]


@pytest.mark.parametrize(("k", "sides"), [(0, 6), (-1, 6), (1, 0), (1, -6), (1, SPAN + 1)])
def test_a_roll_that_cannot_be_never_passes_the_check(k: int, sides: int) -> None:
    assert not check_roll(SECRET, GAME, NONCES, "combat", k, sides, 1)


def test_any_number_of_chits_is_a_die_and_uses_the_stream() -> None:
    cup = dice()
    drawn = [cup.roll("chits", 9) for _ in range(200)]
    assert {draw.value for draw in drawn} == set(range(1, 10))
    assert cup.roll("chits", 6).k == 201
    assert all(check_roll(SECRET, GAME, NONCES, "chits", d.k, 9, d.value) for d in drawn)


def test_the_log_keeps_a_roll_with_its_purpose() -> None:
    body = dice().roll("combat", 6, "combat at 2708").body()
    assert sorted(body) == ["k", "purpose", "sides", "stream", "value"]
    assert body["purpose"] == "combat at 2708"


def test_a_pile_lies_the_same_every_time_it_is_asked_and_anew_after_each_shuffle() -> None:
    cards = [f"card {n}" for n in range(20)]
    first = sorted(cards, key=lambda card: dice().rank("turn 1", card))
    cards.reverse()
    assert first == sorted(cards, key=lambda card: dice().rank("turn 1", card))
    assert first != sorted(cards, key=lambda card: dice().rank("turn 2", card))


def test_every_card_is_on_top_of_a_shuffled_pile_equally_often() -> None:
    cup = dice()
    shuffles = [f"shuffle {n}" for n in range(3000)]
    tops = Counter(min(range(1, 7), key=lambda card: cup.rank(name, str(card))) for name in shuffles)
    assert chi_square(tops, 6) < 20.52


def test_a_commitment_fits_one_secret_only() -> None:
    assert commitment(SECRET) == commitment(secret_from_seed(1944)) != commitment(secret_from_seed(1945))
    assert nonce_commitment("Lysyanka") != nonce_commitment("Lysyanka ")
    assert len(commitment(SECRET)) == len(nonce_commitment("Shpola")) == 64


def test_new_secrets_differ() -> None:
    assert len({new_secret() for _ in range(50)}) == 50
    assert len(new_secret()) == len(secret_from_seed(0)) == 32


def test_forced_dice_give_the_listed_faces_in_order() -> None:
    forced = ForcedDice([6, 1, 3])
    assert forced.roll("combat", 6).value == 6
    assert forced.roll("chits", 4).value == 1
    assert forced.left == [3]
    assert forced.roll("combat", 6).k == 2


def test_forced_dice_say_which_roll_was_not_listed() -> None:
    with pytest.raises(OutOfDice, match="combat at 2708") as caught:
        ForcedDice([]).roll("combat", 6, "combat at 2708")
    assert (caught.value.stream, caught.value.sides, caught.value.purpose) == ("combat", 6, "combat at 2708")


@pytest.mark.parametrize("face", [0, 7, -1])
def test_forced_dice_refuse_a_face_that_the_die_does_not_have(face: int) -> None:
    forced = ForcedDice([face])
    with pytest.raises(ValueError, match=f"no face {face}"):
        forced.roll("combat", 6)
    assert forced.left == [face]


def test_a_forced_shuffle_keeps_the_pile_as_it_is() -> None:
    forced = ForcedDice([])
    assert sorted("SHPOLA", key=lambda card: forced.rank("turn 1", card)) == list("SHPOLA")


def test_forced_dice_keep_cards_on_top_of_a_pile_and_need_no_face_for_its_shuffles():
    dice = ForcedDice([], {"cup": ["C2", "C1"]})
    assert [dice.roll("pile cup 3", 1).k, dice.roll("pile cup 3", 1).k] == [1, 2]
    assert dice.roll("pile cup, for tactics 3", 1).k == 1
    assert sorted(["C1", "C2", "C3"], key=lambda card: dice.rank("cup/7", card)) == ["C2", "C1", "C3"]
    assert dice.rank("cup, for tactics/3001", "C2") < dice.rank("cup, for tactics/3001", "C1")
    assert dice.rank("deck/1", "C1") == dice.rank("deck/1", "C2")
    with pytest.raises(OutOfDice):
        dice.roll("pile deck 3", 1)
