"""Plays a case file and sees whether everything comes out as it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine.cases.case_file import USAGES, CaseFile, Said, read_case, words_of
from engine.cases.deal import Dealer, Names, game_of
from engine.cases.expects import Scene, meet
from engine.cases.failures import BadCase, CaseFailed, Misspelt, Unmet
from engine.cases.figures import with_figures
from engine.dice import ForcedDice, OutOfDice
from engine.drawer import BRISK, CAREFUL, Drawer
from engine.folder import NoSuchScenario
from engine.game import NoSuchOption, Rulebook
from engine.referee import Referee, Reply
from engine.refusals import Ambiguous, Illegal, Refusal, Unclear


def run_case(path: Path, rulebook: Rulebook) -> None:
    """Plays the case file at a path. Raises CaseFailed."""
    play_case(read_case(path), rulebook)


def play_case(case: CaseFile, rulebook: Rulebook) -> None:
    """Plays a case. Raises CaseFailed."""
    scene = _begin(case, rulebook)
    mail: list[Said] = []
    back = CameBack()
    for said in case.played:
        if mail and (said.word != "mail" or said.side != mail[0].side):
            back = _submit(case, scene, mail, back)
            mail = []
        if said.word == "mail":
            mail.append(said)
            continue
        with _at(case, said.line):
            if said.word == "refused":
                back.expected(words_of(said.rest))
            elif said.word == "stand":
                scene.referee.drawer.stand(scene.names.side(said.side), said.rest)
            else:
                back.nothing_more()
                meet(scene, words_of(said.rest))
    if mail:
        back = _submit(case, scene, mail, back)
    with _at(case, case.last_line):
        back.nothing_more()
        if scene.dice.left and not case.dice_may_be_left:
            raise Unmet(f"the dice {scene.dice.left} were not cast")


def _begin(case: CaseFile, rulebook: Rulebook) -> Scene:
    """The position laid out, and the game gone on to its first question."""
    with _at(case, case.options[0].line if case.options else 1):
        game = game_of(case, rulebook)
    with _at(case, case.figures[0].line if case.figures else 1):
        game = with_figures(game, case.figures)
        dealer = Dealer(case, game)
    names, dice, drawer = Names(game), ForcedDice(case.dice, case.tops), Drawer(pace=CAREFUL)
    turn = 1
    for said in case.prepared:
        with _at(case, said.line):
            if said.word == "stand":
                drawer.stand(names.side(said.side), said.rest)
            elif said.word == "pace":
                if said.rest not in (BRISK, CAREFUL):
                    raise Misspelt(f"write: {USAGES['pace']}")
                drawer.pace = said.rest
            else:
                dealer.take(said)
        turn = said.line if said.word == "turn" else turn
    dealt = dealer.dealt()
    with _at(case, turn):
        referee = Referee(dealt.game, dealt.position, dice, drawer=drawer)
        referee.start()
    return Scene(referee, dice, names, list(referee.items), len(case.dice))


def _submit(case: CaseFile, scene: Scene, mail: list[Said], before: CameBack) -> CameBack:
    """One side's lines as one mail; the numbers of its lines are those of the file."""
    first = mail[0].line
    text = [""] * (mail[-1].line - first + 1)
    for said in mail:
        text[said.line - first] = said.rest
    with _at(case, first):
        before.nothing_more()
        reply = scene.referee.submit(scene.names.side(mail[0].side), "\n".join(text))
    scene.happened += reply.items
    return CameBack.of(reply)


@dataclass
class CameBack:
    """What came back of a mail, by what a case file calls it, and has not been expected yet."""

    lines: list[tuple[str, str, str]] = field(default_factory=list)  # kind, the line, the sentence

    @classmethod
    def of(cls, reply: Reply) -> CameBack:
        refused = [(_kind(r.refusal), r.text, r.refusal.sentence()) for r in reply.refused if r.refusal]
        returned = [("returned", line.text, reply.stopped) for line in reply.lines if line.state == "returned"]
        return cls(refused or returned)

    def expected(self, words: list[str]) -> None:
        """The case says that a line came back so. Raises Unmet, or Misspelt."""
        wanted, *texts = words
        if len(texts) > 1:
            raise Misspelt(f"write: {USAGES['refused']}")
        if not self.lines:
            raise Unmet(f"a line should have been refused ({wanted}), and nothing came back")
        fitting = [line for line in self.lines if line[0] == wanted]
        if not fitting:
            raise Unmet(f"it should be refused by {wanted}; {self}")
        fitting = [line for line in fitting if not texts or texts[0].casefold() in line[2].casefold()]
        if not fitting:
            raise Unmet(f"the refusal should say {texts[0]!r}; {self}")
        self.lines = [line for line in self.lines if line not in fitting]

    def nothing_more(self) -> None:
        """Raises Unmet if a line came back and nobody expected it to."""
        if self.lines:
            raise Unmet(str(self))

    def __str__(self) -> str:
        return "; ".join(f"{text!r} came back ({kind}): {sentence}" for kind, text, sentence in self.lines)


def _kind(refusal: Refusal | None) -> str:
    """What a case file calls a refusal."""
    if isinstance(refusal, Illegal):
        return refusal.case
    if isinstance(refusal, Ambiguous):
        return "ambiguous"
    return "unclear" if isinstance(refusal, Unclear) else "refused"


@contextmanager
def _at(case: CaseFile, line: int) -> Iterator[None]:
    """Whatever goes wrong here goes wrong at that line."""
    try:
        yield
    except CaseFailed:
        raise
    except (Misspelt, Unclear, NoSuchScenario, NoSuchOption) as problem:
        raise BadCase(case.file, line, str(problem)) from None
    except (Unmet, OutOfDice) as problem:
        raise CaseFailed(case.file, line, str(problem)) from None
    except Exception as error:
        raise CaseFailed(case.file, line, f"the rules broke down: {type(error).__name__}: {error}") from error
