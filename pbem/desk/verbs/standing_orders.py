"""Standing orders: answers given beforehand to what may be asked while others play."""

from collections.abc import Iterator
from itertools import groupby

from engine.asks import Ask
from engine.refusals import Refusal
from engine.standing import Standing
from pbem.desk.line_made import say_prospects
from pbem.desk.visit import Visit
from pbem.wording.rulings import refusal_line
from pbem.wording.words import capital

REMOVES = ("remove", "drop", "cancel", "off")
HEADING = "Your standing orders"
AMOUNTS = range(1, 5)  # the numbers that an example is worked out for


def when(visit: Visit, rest: str) -> None:
    """`when QUESTION: ORDER`: a standing order by its first word."""
    standing(visit, f"when {rest}")


def standing(visit: Visit, rest: str) -> None:
    """`standing`, `standing remove LINE`, `standing remove all`; a line to be kept, if `when` hands it on."""
    word, _, line = rest.strip().partition(" ")
    if word.casefold() in REMOVES:
        gone = visit.campaign.stand_down(visit.side, "" if line.strip().casefold() == "all" else line or "-")
        visit.letter.say("Standing orders taken out", *([one.line() for one in gone] or ["None fits."]))
    elif rest:
        try:
            visit.campaign.stand(visit.side, rest)
        except Refusal as problem:
            visit.letter.say("A standing order was not taken", rest, f"    {refusal_line(problem)}")
    _echo(visit)


def _echo(visit: Visit) -> None:
    """All that stand, each with what it would do; said once, after the last of them."""
    letter = visit.letter
    letter.sections = [section for section in letter.sections if section.heading != HEADING]
    kept = visit.campaign.drawer.standing.get(visit.side, [])
    said = [line for one in kept for line in (one.line(), f"    {_example(visit, one)}")]
    if not kept:
        asked = [q for q in visit.campaign.game.questions.values() if q.answers and (not q.of or visit.side in q.of)]
        said = ["None. You might write:" if asked else "None.", *(f"    when {q.name}: {q.answers[-1]}" for q in asked)]
    letter.say(HEADING, *said)
    say_prospects(visit.room, letter, visit.side)


def _example(visit: Visit, one: Standing) -> str:
    """What it would answer, worked out on the position as it is now."""
    question = visit.campaign.game.questions.get(one.name)
    about = f"{_sentence(question.about)} " if question is not None else ""
    names = question.amounts if question is not None else ()
    spoken = [name for name in names if any(name in condition for _, condition in one.choices())]
    if spoken:
        answers = [(n, _answer(visit, one, ((spoken[0], n),))) for n in AMOUNTS]
        return about + _sentence("; ".join(_grouped(spoken[0], answers)))
    return about + _sentence(_answer(visit, one, ()))


def _sentence(said: str) -> str:
    return f"{capital(said).rstrip('.')}."


def _grouped(name: str, answers: list[tuple[int, str]]) -> Iterator[str]:
    """Numbers that give the same answer, told together."""
    for answer, group in groupby(answers, key=lambda pair: pair[1]):
        numbers = [n for n, _ in group]
        span = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        yield f"if {name} {'are' if name.endswith('s') else 'is'} {span}, {answer}"


def _answer(visit: Visit, one: Standing, amounts: tuple[tuple[str, int], ...]) -> str:
    asked = Ask(visit.side, one.name, "", "", (), lambda: None, list, amounts=amounts)  # type: ignore[arg-type,return-value]
    try:
        answer = one.chosen(asked, visit.table)
    except Refusal as problem:
        return problem.sentence()
    if answer is None:
        return "the next one that fits is tried"
    said = {"ask": "you are asked", "default": "the game's own default is taken"}
    return said.get(answer.casefold(), f"you answer `{answer}`")
