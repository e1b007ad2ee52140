"""Replies to real letters of every rulebook: nothing that stood in the letter is read, all that was typed is."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from pbem.inbox.incoming import take_in
from pbem.reading import Known, Read, read_mail
from pbem.reading.characters import plain
from tests.pbem.reading.programs import (
    ADDRESS,
    LANGUAGES,
    MARKED,
    PROGRAMS,
    SENDER,
    SUBJECT,
    Program,
    Reply,
    apple,
    gmail,
    losing_marks,
    mail_of,
    outlook_web,
)
from tests.pbem.reading.real_letters import RealLetter, real_letters

TYPED = ["press Good evening.", "A line of it.", "", "default", "end"]
OF_THE_HTML = (gmail, apple, outlook_web)  # programs that quote the HTML twin


def read(raw: bytes, known: Known) -> Read:
    return read_mail(take_in("m1", raw, datetime(2026, 1, 5, 21, 30, tzinfo=UTC), "post@field.example"), known)


def quotable(letter: RealLetter, program: Program) -> list[str]:
    return letter.html_lines if program in OF_THE_HTML else letter.lines


def orders(found: Read) -> list[str]:
    """What would be carried out: without remarks, without the key that comes with what was typed into a letter."""
    lines = [" ".join(line.partition("#")[0].split()) for line in found.lines]
    return [line for line in lines if line and not line.startswith("key ")]


def is_order(letter: RealLetter, line: str) -> bool:
    """Whether a line of the template is an order without its mark."""
    words = letter.known.vocabulary
    assert words is not None
    return line.startswith("#") and line[1:2].isalpha() and words.begins(line[1:])


def templates() -> list[RealLetter]:
    return [letter for letter in real_letters() if letter.key and any(is_order(letter, one) for one in letter.lines)]


def names(letters: list[RealLetter]) -> list[str]:
    return [letter.name for letter in letters]


def test_there_are_letters_of_every_kind_and_rulebook() -> None:
    kinds = {letter.name.partition("/")[0] for letter in real_letters()}
    rulebooks = {kind.partition(":")[0] for kind in kinds}
    of_all, of_two = (
        ("answer", "invitation", "reminder"),
        ("notice", "report"),
    )  # nobody else's deeds reach who is alone
    faced = {book for book in rulebooks if len(games.find_game(book).setting.chairs) > 1}
    wanted = {(book, kind) for book in rulebooks for kind in of_all} | {
        (book, kind) for book in faced for kind in of_two
    }
    assert kinds == {f"{book}: {kind}" for book, kind in wanted}
    assert rulebooks == set(games.titles())
    assert {letter.name.partition(":")[0] for letter in templates()} == rulebooks


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_kind_of_letter_is_carried_out_because_it_is_quoted(program: Program) -> None:
    for number, letter in enumerate(real_letters()):
        known = letter.known if number % 2 else letter.unknown()
        found = read(program(Reply(quoted=quotable(letter, program))), known)
        assert found.lines == [], letter.name
        assert found.problem, letter.name


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_quotations_are_cut_in_every_language(program: Program) -> None:
    letters = templates()
    for number, language in enumerate(LANGUAGES):
        letter = letters[number % len(letters)]
        quoted = quotable(letter, program)
        reply = Reply(TYPED, quoted, language=language)
        for known in (letter.known, letter.unknown()):
            assert read(program(reply), known).lines == TYPED, (language, letter.name)
        if program in MARKED:
            below = Reply((), quoted, TYPED, language)
            assert read(program(below), letter.known).lines == TYPED, (language, letter.name)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_template_works_in_a_reply(program: Program) -> None:
    for letter in templates():
        quoted = quotable(letter, program)
        wanted = [n for n, line in enumerate(quoted) if is_order(letter, line)][-2:]
        edited = [line[1:] if n in wanted else line for n, line in enumerate(quoted)]
        found = read(program(Reply(quoted=edited)), letter.known)
        assert found.lines[0] == f"key {letter.key}", letter.name
        assert orders(found) == [" ".join(quoted[n][1:].partition("#")[0].split()) for n in wanted], letter.name
        assert orders(read(program(Reply(quoted=edited)), letter.unknown())) == [], letter.name


def test_a_letter_of_which_nothing_is_known_is_not_read_whatever_was_typed_into_it() -> None:
    letter = templates()[0]
    edited = [line.lstrip("#") for line in letter.lines]
    assert read(losing_marks(Reply(quoted=edited)), letter.unknown()).lines == []


@st.composite
def replies(draw: st.DrawFn) -> tuple[RealLetter, Program, Reply, list[str]]:
    """A reply to a real letter: lines of the template taken, lines cut, lines typed in between, some above."""
    letter = draw(st.sampled_from(templates()))
    program = draw(st.sampled_from(PROGRAMS))
    quoted = quotable(letter, program)
    offered = [n for n, line in enumerate(quoted) if is_order(letter, line)]
    taken = draw(st.sets(st.sampled_from(offered), max_size=3))
    first = next(n for n, line in enumerate(quoted) if len(line) > 20)
    added = draw(st.sets(st.integers(first + 1, len(quoted) - 1), max_size=3))
    typed = draw(st.sampled_from(["end", "default", "attack 0606 with 17, 44 by 3", "move 17 to 0707 # a note"]))
    edited: list[str] = []
    wanted: list[str] = []
    for n, line in enumerate(quoted):
        said = line[1:] if n in taken else line
        edited.append(said)
        wanted += [said] if n in taken else []
        if n in added:
            edited.append(typed)
            wanted.append(typed)
    above = draw(st.sampled_from([[], ["end"], ["Good evening,", "", "end", "Anna"]]))
    language = draw(st.sampled_from(list(LANGUAGES)))
    own = [line for line in above if line == "end"]
    return letter, program, Reply(above, edited, (), language), [*own, *wanted]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(replies())
def test_what_was_typed_into_a_letter_is_read_and_nothing_that_stood_in_it(
    made: tuple[RealLetter, Program, Reply, list[str]],
) -> None:
    letter, program, reply, wanted = made
    found = read(program(reply), letter.known)
    assert orders(found) == [" ".join(line.partition("#")[0].split()) for line in wanted]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(replies(), st.randoms(use_true_random=False))
def test_nothing_that_stood_in_a_letter_is_read_however_its_quotation_was_trimmed(
    made: tuple[RealLetter, Program, Reply, list[str]], chance: Random
) -> None:
    letter, program, reply, wanted = made
    trimmed = [line for line in reply.quoted if line in wanted or chance.random() > 0.15]
    quoted = [line.replace("  ", "\u00a0 ").replace("`", "\u2018").replace("-- ", "\u2014 ") for line in trimmed]
    found = orders(read(program(Reply(reply.above, quoted, (), reply.language)), letter.known))
    assert set(found) <= {" ".join(line.partition("#")[0].split()) for line in wanted}


@pytest.mark.parametrize("language", LANGUAGES)
def test_politeness_costs_nothing_in_any_language(language: str) -> None:
    said = LANGUAGES[language]
    above = [said["greeting"], "", "default", "", said["thanks"], "Anna", "", said["sent"]]
    for book, letter in {letter.name.partition(":")[0]: letter for letter in templates()}.items():
        found = read(mail_of("\n".join(above)), letter.known)
        assert found.lines == ["default"], book
        assert found.notes[0].startswith(f"not read as orders: `{plain(said['greeting'])}`"), book


@pytest.mark.parametrize("line", ["mvoe 17 to 0707", "fly 17 to 0707", "edn", "0707 with 17 by 3", "defualt"])
def test_a_nearly_right_order_is_never_passed_over(line: str) -> None:
    for letter in templates():
        assert read(mail_of(f"Good evening,\n\n{line}\n\nAnna"), letter.known).lines == [line], letter.name


def test_orders_in_an_older_mail_of_ones_own_are_not_carried_out_again() -> None:
    letter = templates()[0]
    header = ["From: Anna <anna@mill.example>", "Sent: 5. 1. 2026 21:20", f"To: {SENDER}", f"Subject: Re: {SUBJECT}"]
    older = Reply(quoted=letter.lines)
    unmarked = ["default", "", *header, "", "end", "", *older.header(), "", *letter.lines]
    assert read(mail_of("\n".join(unmarked)), letter.known).lines == ["default"]
    marked = ["default", "", f"On 5 Jan 2026 Anna <anna@mill.example> to {ADDRESS} wrote:", "> end", ">"]
    marked += [f"> {older.introduction()}", *(f"> > {line}" for line in letter.lines)]
    assert read(mail_of("\n".join(marked)), letter.known).lines == ["default"]
