"""A look is plain data: what a game does not say is as in every game, and a mistake is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.board import Board
from engine.game import Game
from pbem.pictures.empty_board import ground
from pbem.pictures.look import BadLook, Look, _look
from pbem.pictures.shapes import Polygon, Text


def look(folder: Path, text: str, game: Game) -> Look:
    (folder / "look.toml").write_text(text, encoding="utf-8")
    return _look(folder, game.sides, game.setting.roster)


def test_a_game_without_a_look_has_the_usual_one(tmp_path: Path, ford: Game) -> None:
    usual = _look(None, ford.sides, ford.setting.roster)
    assert usual.sides["red"].emblem != usual.sides["blue"].emblem
    assert _look(tmp_path, ford.sides, ford.setting.roster).paper == usual.paper


def test_a_game_changes_only_what_it_names(tmp_path: Path, ford: Game) -> None:
    own = look(tmp_path, '[sides.red]\nemblem = "ring"\n[marks.tired]\nbadge = "T{value}"\n', ford)
    usual = _look(None, ford.sides, ford.setting.roster)
    assert own.sides["red"].emblem == "ring"
    assert own.sides["red"].fill == usual.sides["red"].fill
    badge = own.badge("tired", 3)
    assert badge is not None
    assert badge.text == "T3"


def test_an_area_that_matters_all_through_the_game_is_ringed_and_in_the_legend(
    tmp_path: Path, ford: Game, pointed: Board
) -> None:
    own = look(tmp_path, '[areas]\nA = { colour = "#123456", about = "a place to hold" }\n', ford)
    shapes = ground(pointed, own).shapes
    rings = [shape for shape in shapes if isinstance(shape, Polygon) and shape.stroke == "#123456"]
    assert len(rings) == pointed.areas["A"].bit_count() + 1
    assert any(isinstance(shape, Text) and shape.text == "a place to hold" for shape in shapes)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[areas]\nnorth = "striped"\n', "areas.north: there is no 'striped'"),
        ('[areas]\nnorth = { colour = "red", about = "x" }\n', "areas.north: 'red' is no colour"),
        ('[sides.red]\nfill = "red"\n', "sides.red: 'red' is no colour"),
        ('[sides.red]\nemblem = "skull"\n', "sides.red: there is no 'skull'"),
        ('[marks.tired]\nbadge = "T"\nshape = "heart"\n', "marks.tired: there is no 'heart'"),
        ('[marks.tired]\nbadge = "T"\ngirth = 3\n', "marks.tired: "),
        ('[terrain.moor]\ndrawing = "fog"\n', "terrain.moor: there is no 'fog'"),
        ("[colours]\n", "colours: there is no such table"),
        ("[sides", "look.toml: "),
    ],
)
def test_a_mistake_in_a_look_is_named_in_one_sentence(tmp_path: Path, ford: Game, text: str, where: str) -> None:
    with pytest.raises(BadLook) as wrong:
        look(tmp_path, text, ford)
    assert where in str(wrong.value)
    assert "\n" not in str(wrong.value)
