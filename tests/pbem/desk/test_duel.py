"""A duel, from its invitation to its last letters: two who play the same game for one, each in his own room."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from engine.campaign import verify
from games import find_game
from pbem.moderator import Act
from pbem.moderator.act import BadAddress, CannotModerate
from pbem.moderator.arranging import announce_spectator, close, substitute
from pbem.moderator.keeping import archive, packed
from pbem.moderator.listing import show
from pbem.moderator.ruling import act_for, correct, rewind
from pbem.moderator.setting_up import duel
from pbem.moderator.timing import terms
from pbem.store import Due
from tests.engine.outpost import RULEBOOK
from tests.patience import patience
from tests.pbem.desk.duellists import ANNA, BERT, GAMES, WORDS, Duellists, plain
from tests.pbem.desk.office import text_of
from tests.pbem.houses import log_of
from tests.pbem.shelf import only

CARL = "carl@hill.example"


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Duellists]:
    only(monkeypatch, RULEBOOK)
    office = Duellists(tmp_path)
    yield office
    office.house.close()


@pytest.fixture
def office(fresh: Duellists) -> Duellists:
    fresh.begin_duel()
    return fresh


def flat(text: str) -> str:
    return " ".join(text.split())


def play_out(office: Duellists, who: str) -> None:
    waiting = patience("the end of the game", 50)
    while office.row(who).state == "playing":
        next(waiting)
        office.write(who, "end")


# Setting it up.


def test_both_are_invited_to_games_of_their_own_on_one_secret(fresh: Duellists) -> None:
    told = fresh.set_up()
    assert "fort-1 and fort-2: a duel in" in told
    one, two = fresh.row(ANNA), fresh.row(BERT)
    assert one.commit == two.commit
    assert one.duel_id == two.duel_id is not None
    for who, other in ((ANNA, "bert"), (BERT, "anna")):
        (invitation,) = map(flat, fresh.told(who, of="invitation/"))
        assert f"You are invited to a duel with {other}" in invitation
        assert "Neither sees the other's board." in invitation
        assert "For each turn there is 14 days" in invitation
        assert "talks of them before the other has played it spoils the duel" in invitation


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([ANNA, ANNA.upper()], "anna@mill.example cannot play against himself"),
        ([ANNA], "a duel is between two, and you name 1: write `game duel outpost ADDRESS ADDRESS`"),
        ([ANNA, BERT, CARL], "a duel is between two, and you name 3"),
        ([], "you name nobody"),
        ([ANNA, BERT, "--raiders", CARL], r"--raiders is not for a duel \(the rules play raiders\)"),
        (["--garrison", ANNA, "--garrison", BERT], r"--garrison is not for a duel \(both play garrison\)"),
        ([ANNA, "bot:sensible"], "a duel is between two people, and bot:sensible is none"),
    ],
)
def test_what_is_no_duel_is_told_in_a_sentence_and_nothing_is_done(
    fresh: Duellists, words: list[str], says: str
) -> None:
    with pytest.raises(CannotModerate, match=says):
        fresh.do(duel, "outpost", words)
    assert fresh.letters() == []
    assert not list(fresh.house.games_folder.glob("*"))


def test_an_address_a_scenario_and_a_time_must_be_such(fresh: Duellists) -> None:
    with pytest.raises(BadAddress):
        fresh.do(duel, "outpost", [ANNA, "bert"])
    with pytest.raises(Exception, match="no scenario"):
        fresh.do(duel, "outpost", [ANNA, BERT], scenario="mill")
    for wrong in ("soon", "combat=24h"):
        with pytest.raises(ValueError, match="deadline"):
            fresh.do(duel, "outpost", [ANNA, BERT], deadline=wrong)
    assert fresh.letters() == []


def test_games_of_that_name_stop_it_before_anybody_hears_of_it(fresh: Duellists) -> None:
    fresh.set_up()
    before = len(fresh.letters())
    with pytest.raises(ValueError, match="there is a game of that name"):
        fresh.set_up()
    assert len(fresh.letters()) == before


def test_the_moderator_sets_one_up_by_mail(fresh: Duellists) -> None:
    fresh.set_up()
    (letter,) = fresh.at(ANNA).mail("moderator", f"moderator duel outpost {CARL} dora@lake.example --deadline 7d")[-1:]
    letters = {row.to for row in fresh.letters() if row.key.startswith("invitation/outpost-")}
    assert letters == {CARL, "dora@lake.example"}
    assert "outpost-1 and outpost-2" in text_of(letter) or any(
        "outpost-1 and outpost-2" in text_of(row) for row in fresh.letters()
    )


# Joining.


def test_neither_begins_before_both_have_joined_and_both_logs_have_the_words_of_both(fresh: Duellists) -> None:
    fresh.set_up()
    assert "Missing: bert." in fresh.said(ANNA, WORDS[ANNA])
    assert fresh.row(ANNA).state == "joined"
    assert not log_of(fresh.house, GAMES[ANNA]).exists()
    fresh.write(BERT, WORDS[BERT])
    headers = [fresh.campaign(who).lines()[0] for who in GAMES]
    assert headers[0]["nonces"] == {"garrison 1": "three herons", "garrison 2": "two storks"}
    assert headers[0]["nonces"] == headers[1]["nonces"]
    assert [fresh.row(who).state for who in GAMES] == ["playing", "playing"]
    assert all("YOUR MOVE" in fresh.told(who)[-1] for who in GAMES)


def test_words_promised_by_their_hash_are_waited_for_in_both_games(fresh: Duellists) -> None:
    fresh.set_up()
    fresh.write(ANNA, WORDS[ANNA])
    hashed = "2e0b2b0d0a0d9a7b5c5c9d4d1f8c7e6a5b4c3d2e1f00112233445566778899aa"
    assert "bert's words" in fresh.said(BERT, f"join hash {hashed}")
    assert fresh.row(ANNA).state == "joined"


def test_who_declines_leaves_the_other_waiting_and_both_may_yet_begin(fresh: Duellists) -> None:
    fresh.set_up()
    fresh.write(ANNA, WORDS[ANNA])
    fresh.write(BERT, "decline I have no time")
    assert "bert has declined." in flat(fresh.told(ANNA)[-1])
    fresh.do(substitute, "fort-2", "garrison", CARL)
    fresh.at(BERT).people = {"garrison": CARL}
    fresh.mail("garrison", "join as Carl nonce one crane")
    assert [fresh.row(who).state for who in GAMES] == ["playing", "playing"]
    assert "in a duel with Carl" in flat(fresh.told(ANNA)[-1])


def test_an_invitation_that_nobody_answers_lapses_for_both_and_a_new_one_is_for_both(fresh: Duellists) -> None:
    fresh.set_up()
    fresh.write(ANNA, WORDS[ANNA])
    for _ in range(40):
        fresh.wait(24)
    assert [fresh.row(who).state for who in GAMES] == ["lapsed", "lapsed"]
    assert "Nobody has answered for bert, so that the invitation has lapsed." in flat(fresh.told(ANNA)[-1])
    fresh.do(substitute, "fort-2", "garrison", CARL)
    assert [fresh.row(who).state for who in GAMES] == ["joined", "invited"]


def test_calling_one_game_off_before_it_begins_calls_off_both(fresh: Duellists) -> None:
    fresh.set_up()
    fresh.do(close, "fort-1")
    assert [fresh.row(who).state for who in GAMES] == ["abandoned", "abandoned"]
    assert all("The moderator has called it off." in flat(fresh.told(who)[-1]) for who in GAMES)


# The same dice.


def test_the_same_orders_make_the_same_log_in_both_games(office: Duellists) -> None:
    orders = ("move c/2 to 0303\nend", "end", "end", "end", "end", "end")
    for text in orders:
        for who in GAMES:
            office.write(who, text, minutes=7)
    one, two = (office.campaign(who).lines() for who in GAMES)
    assert len(one) > 3
    assert plain(one) == plain(two)
    assert [line["hash"] for line in one] != [line["hash"] for line in two]
    for who in GAMES:
        assert verify(log_of(office.house, GAMES[who]), find_game).ok


# Turn by turn.


def test_a_turn_is_compared_when_both_have_ended_it_and_not_before(office: Duellists) -> None:
    first = office.write(ANNA, "move c/2 to 0303\nend")
    assert {row.to for row in first} == {ANNA}
    assert office.duel().compared == 0
    second = office.write(BERT, "end")
    compared = [row for row in second if row.key.startswith("duel/1/turn/1/")]
    assert sorted(row.to for row in compared) == [ANNA, BERT]
    for row in compared:
        assert "THE DUEL AFTER TURN 1" in text_of(row)
        assert "Garrison steps lost" in text_of(row)
        assert "goes on" in text_of(row)
    assert office.duel().compared == 1


def test_who_is_ahead_may_play_on_and_is_compared_by_the_turn_the_other_has_ended(office: Duellists) -> None:
    office.write(ANNA, "end")
    office.write(ANNA, "end")
    assert office.campaign(ANNA).position.turn == 3
    office.write(BERT, "end")
    assert office.duel().compared == 1
    tables = office.told(BERT, of="duel/1/turn/")
    assert len(tables) == 1
    assert len(office.told(ANNA, of="duel/1/turn/")) == 1


def test_each_has_his_own_column_first_and_both_the_same_figures(office: Duellists) -> None:
    office.both_end()
    heads = []
    for who in GAMES:
        (letter,) = office.told(who, of="duel/1/turn/1/")
        heads.append(next(line.split() for line in letter.splitlines() if "Anna" in line and "Bert" in line))
    assert heads == [["Anna", "Bert"], ["Bert", "Anna"]]


def test_nothing_that_one_does_reaches_the_other_before_both_have_ended_the_turn(office: Duellists) -> None:
    office.do(terms, "fort-1", errors="skip")
    before = len(office.told(BERT))
    twin = office.campaign(BERT).lines()
    for text in ("move c/2 to 0303", "status", "orders", "log", "map", "games", "move z/9 to 0101", "wait", "end"):
        office.write(ANNA, text)
    assert len(office.told(BERT)) == before
    assert office.campaign(BERT).lines() == twin
    asked = ("status", "games", "orders", "standing", "resend", "help", "move c/2 to 9999", "undo 0", "wait", "book")
    for text in asked:
        said = office.said(BERT, text)
        assert "fort-1" not in said
        assert "turn 2" not in said.casefold()


def test_who_looks_on_could_tell_so_nobody_does(office: Duellists) -> None:
    for address in (BERT, CARL):
        with pytest.raises(CannotModerate, match="nobody looks on"):
            office.do(announce_spectator, "fort-1", address)


def test_press_goes_from_one_to_the_other(office: Duellists) -> None:
    letters = office.write(ANNA, "press how do you find the mud?")
    (press,) = [row for row in letters if row.to == BERT]
    assert "how do you find the mud?" in text_of(press)
    assert "[fort-2]" in press.subject
    answer = next(text_of(row) for row in letters if row.to == ANNA)
    assert "Passed on to Bert." in flat(answer)


def test_help_tells_how_a_duel_goes(office: Duellists) -> None:
    for page in ("help", "help duel"):
        assert "Whoever is ahead may play on." in office.said(ANNA, page)
    assert "press [to moderator:] TEXT -- Words to your opponent" in office.said(ANNA, "help")
    assert "there is nothing to agree on" in office.said(ANNA, "draw")


# Going back.


def test_undo_is_free_until_a_die_and_never_behind_a_turn_that_was_compared(office: Duellists) -> None:
    office.write(ANNA, "move c/2 to 0303")
    assert "You go back to the end of line 0." in office.said(ANNA, "undo 0")
    assert not office.duel().ended
    with office.house.database.begin() as session:
        session.get_one(type(office.duel()), 1).compared = 1  # as if no die had fallen since the turn began
    office.write(ANNA, "move c/2 to 0303")
    said = office.said(ANNA, f"undo {office.campaign(ANNA).count - 2}")
    assert "there is no going back behind that" in said


@pytest.mark.parametrize("ruling", ["rewind", "correct"])
def test_a_moderators_rewind_or_correction_ends_the_duel_and_both_games_go_on(office: Duellists, ruling: str) -> None:
    office.both_end()
    office.write(ANNA, "move c/2 to 0303")
    if ruling == "rewind":
        office.do(rewind, "fort-1", 0)
        says = "The moderator went back in Anna's game. That ends the duel, and nobody has won it."
    else:
        office.do(correct, "fort-1", "place c/2 0302")
        says = "The moderator corrected Anna's game. That ends the duel, and nobody has won it."
    for who in GAMES:
        (told,) = map(flat, office.told(who, of="duel/1/ended/"))
        assert says in told
        assert "it has no deadline any more" in told
    assert [office.row(who).state for who in GAMES] == ["playing", "playing"]
    assert dues(office) == [None, None]
    play_out(office, ANNA)
    assert not office.campaign(ANNA).revealed  # the secret is still the other's, too
    assert office.duel().compared == 1
    play_out(office, BERT)
    assert all(office.campaign(who).revealed for who in GAMES)
    assert all("nobody has won it" in flat(office.told(who, of="final/")[0]) for who in GAMES)


def test_orders_that_the_moderator_gives_by_the_rules_leave_the_duel_as_it_is(office: Duellists) -> None:
    office.do(act_for, "fort-1", "garrison", "end")
    assert not office.duel().ended
    office.write(BERT, "end")
    assert office.duel().compared == 1


# The end.


def test_a_finished_half_reveals_nothing(office: Duellists) -> None:
    play_out(office, ANNA)
    secret = office.campaign(ANNA).secret.hex()
    assert office.row(ANNA).state == "finished"
    assert office.told(ANNA, of="final/") == []
    for text in ("log", "book", "status", "resend", "map"):
        office.write(ANNA, text)
    assert "It comes with the last letter" in office.said(ANNA, "book")
    assert office.do(show, "fort-1")
    with (
        office.house.transaction() as session,
        zipfile.ZipFile(io.BytesIO(packed(Act(office.house, session), "fort-1")[1])) as pack,
    ):
        exported = {name: pack.read(name) for name in pack.namelist()}
    assert sorted(exported) == ["fort-1/log.jsonl", "fort-1/mail.txt", "fort-1/replay.html"]
    with pytest.raises(CannotModerate, match="the duel of fort-1 is not over"):
        office.do(archive, "fort-1")
    groups = " ".join(secret[n : n + 8] for n in range(0, 64, 8))
    everything = [row.raw.decode("utf-8", "replace") for row in office.letters()]
    assert not any(secret in text or groups in text for text in everything)
    assert secret.encode() not in b"".join(office.enclosed(ANNA).values())
    assert secret.encode() not in b"".join(exported.values())
    assert secret not in log_of(office.house, "fort-1").read_text()


def test_when_both_are_done_the_duel_is_settled_the_secret_shown_and_both_logs_sent_to_both(office: Duellists) -> None:
    office.write(ANNA, "move c/2 to 0303")
    for who in GAMES:
        play_out(office, who)
    assert office.duel().closed
    secret = office.campaign(ANNA).secret.hex()
    for who in GAMES:
        (final,) = office.told(who, of="final/")
        assert "THE DUEL" in final
        assert office.duel().ended in flat(final)
        assert secret[:8] in final
        assert {"fort-1.jsonl.gz", "fort-2.jsonl.gz"} <= set(office.enclosed(who))
        for name in ("fort-1", "fort-2"):
            copy = office.home / f"{name}.jsonl"
            copy.write_bytes(office.enclosed(who)[f"{name}.jsonl.gz"])
            assert verify(copy, find_game).ok
    office.do(archive, "fort-1")


def test_equal_games_are_a_drawn_duel(office: Duellists) -> None:
    for who in GAMES:
        play_out(office, who)
    assert office.duel().ended == "The duel is drawn: level, turn and points are the same."
    assert office.duel().winner == ""


def test_who_gives_up_has_lost_at_once_and_the_other_may_play_on_without_a_deadline(office: Duellists) -> None:
    office.write(ANNA, "resign for good")
    for who in GAMES:
        (told,) = map(flat, office.told(who, of="duel/1/ended/"))
        assert "Bert has won the duel: Anna gave up on turn 1." in told
        assert ("it has no deadline any more" in told) == (who == BERT)
    assert office.duel().winner == "fort-2"
    assert not office.campaign(ANNA).revealed
    assert dues(office) == [None]
    play_out(office, BERT)
    assert office.duel().winner == "fort-2"
    assert all("Bert has won the duel" in flat(office.told(who, of="final/")[0]) for who in GAMES)


def test_a_game_that_the_moderator_closes_ends_the_duel_for_both(office: Duellists) -> None:
    office.do(close, "fort-1", winner="raiders")
    for who in GAMES:
        (told,) = map(flat, office.told(who, of="duel/1/ended/"))
        assert "The moderator closed Anna's game. That ends the duel, and nobody has won it." in told
    assert not office.campaign(ANNA).revealed
    assert office.row(BERT).state == "playing"
    office.do(close, "fort-2")
    assert office.duel().closed
    assert all(office.campaign(who).revealed for who in GAMES)


def test_a_substitute_takes_over_the_duel_as_it_stands(office: Duellists) -> None:
    office.both_end()
    office.do(substitute, "fort-2", "garrison", CARL)
    asked = next(row for row in office.letters() if row.to == CARL)
    assert "It is a duel with Anna. Turns compared so far: 1." in flat(text_of(asked))
    token = str(asked.raw.split(b"Reply-To:")[1].split(b"+")[1][:32].decode())
    office.at(BERT).people = {"garrison": CARL}
    office.mail("garrison", "join as Carl", to=office.house.seat_address(token))
    assert "Carl is in the duel with you from now on." in flat(office.told(ANNA)[-1])
    for who, why in ((ANNA, "plays the other game of this duel"), ("bot:sensible", "between two people")):
        with pytest.raises(CannotModerate, match=why):
            office.do(substitute, "fort-2", "garrison", who)


@pytest.mark.parametrize("verb", ["address", "address also"])
def test_nobody_writes_for_both_games_of_a_duel(office: Duellists, verb: str) -> None:
    assert f"{BERT}: it plays the other game of this duel" in office.said(ANNA, f"{verb} {BERT}")


def test_the_clock_of_a_duel_is_that_of_both(office: Duellists) -> None:
    with pytest.raises(CannotModerate, match="its clock is that of both"):
        office.do(terms, "fort-1", deadline=["48h"])


def dues(office: Duellists) -> list[object]:
    with office.house.database.begin() as session:
        return [row.due for row in session.exec(select(Due)).all()]
