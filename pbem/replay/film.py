"""A film of a campaign for the mail: a picture for each phase and each battle, with a caption."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from PIL import Image, ImageDraw

from engine import facts as f
from engine.game import Game
from engine.position import Position, apply
from engine.table import Table
from pbem.pictures.lettering import fitting, font
from pbem.pictures.look import look_of
from pbem.pictures.pictures import whole_map
from pbem.pictures.pillow_painter import paint, saved
from pbem.replay.copies import Copy
from pbem.replay.steps import Step, step_name, steps_of
from pbem.tale.entries import EVERYTHING, facts_of
from pbem.wording.words import fight_line

WIDTH = 600
CAPTION = 40
MOST_BYTES = 2_000_000
MOST_FRAMES = 200
QUALITIES = (70, 55, 40, 25, 10)
MILLISECONDS = {"battle": 1100, "phase": 800, "end": 4000}


class NothingToFilm(ValueError):
    """A log in which nothing happened that could be seen."""

    def __init__(self) -> None:
        super().__init__("nothing has happened in it that a film could show")


@dataclass(frozen=True)
class Shot:
    """Steps that are shown in one picture."""

    steps: tuple[Step, ...]
    kind: str  # battle, phase or end


def film(game: Game, copy: Copy, width: int = WIDTH, most: int = MOST_BYTES) -> bytes:
    """An animated WebP of what the reader may know, no larger than a mail likes. Raises NothingToFilm, BadLook."""
    shown = scenes(steps_of(copy.entries()))
    if not shown:
        raise NothingToFilm
    frames = list(_frames(game, shown, copy.reader, width))
    durations = [MILLISECONDS[scene.kind] for scene in shown]
    for quality in QUALITIES:
        made = _webp(frames, durations, quality)
        if len(made) <= most:
            return made
    half = list(zip(frames, durations, strict=True))[-1::-2][::-1]  # the last picture always stays
    return _webp([frame for frame, _ in half], [2 * duration for _, duration in half], QUALITIES[-1])


def scenes(steps: Sequence[Step], most: int = MOST_FRAMES) -> list[Shot]:
    """A scene for each battle and for the rest of each phase; in a long campaign, one for each phase."""
    found = [*_cut(steps, battles=True)]
    return found if len(found) <= most else [*_cut(steps, battles=False)]


def _cut(steps: Sequence[Step], *, battles: bool) -> Iterator[Shot]:
    held: list[Step] = []
    for step, following in zip_longest(steps, steps[1:]):
        held.append(step)
        closes = following is not None and (following.turn, following.stage) != (step.turn, step.stage)
        if following is None:
            yield Shot(tuple(held), "end")
        elif (step.kind == "battle" and battles) or (closes and not all(s.kind in ("stage", "other") for s in held)):
            fought = any(s.kind == "battle" for s in held)
            yield Shot(tuple(held), "battle" if fought else "phase")
            held = []


def _frames(game: Game, shown: Sequence[Shot], reader: str, width: int) -> Iterator[Image.Image]:
    position = Position(game.setting, reader)
    for scene in shown:
        happened = [fact for step in scene.steps for fact in facts_of(step.entries, reader)]
        for fact in happened:
            apply(position, fact)
        picture = paint(whole_map(Table(game, position), None, happened, width))
        yield _captioned(picture, caption(game, scene, reader), look_of(game).paper)


def caption(game: Game, scene: Shot, reader: str = EVERYTHING) -> str:
    """What is seen: the battle, or how the game ended, or when it is."""
    when = step_name(scene.steps[-1])
    for fact in reversed([fact for step in scene.steps for fact in facts_of(step.entries, reader)]):
        if isinstance(fact, f.GameEnded):
            return f"{when}: {fact.result}"
        if isinstance(fact, f.Fought):
            return f"{when}: {fight_line(game, fact)}"
    return when


def _captioned(picture: Image.Image, words: str, paper: Mapping[str, str]) -> Image.Image:
    wide, tall = picture.size
    frame = Image.new("RGB", (wide, tall + CAPTION), paper["ink"])
    frame.paste(picture, (0, 0))
    letters = font(fitting(words, 19, wide - 24, bold=True), bold=True)
    ImageDraw.Draw(frame).text((12, tall + CAPTION / 2), words, fill=paper["halo"], font=letters, anchor="lm")
    return frame


def _webp(frames: Sequence[Image.Image], durations: Sequence[int], quality: int) -> bytes:
    return saved(
        frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=list(durations), loop=0,
        quality=quality, method=4, minimize_size=True,
    )  # fmt: skip
