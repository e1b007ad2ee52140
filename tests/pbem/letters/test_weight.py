"""What letters weigh, what is left out of heavy ones, and maps that are not sent twice."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

import games
from engine.campaign.folding import replay
from engine.table import Table
from pbem.letters import filling
from pbem.pictures.pictures import letter_map, painted_once
from pbem.report.dispatch import MOST_PICTURES
from tests.pbem.letters.conftest import Sample, body
from tests.pbem.letters.recorded import cut, lines_of, named

NINE = ("korsun-german-strategic-sensible-1004", 51, "german", 40)  # a whole player turn, told in one letter


def pictures(mail: EmailMessage) -> list[str]:
    """The names of the pictures in the text; each is spoken of there, and no other."""
    found = {str(part.get_filename()): str(part["Content-ID"])[1:-1] for part in mail.walk() if part["Content-ID"]}
    assert re.findall(r'src="cid:([^"]+)"', body(mail, "html")) == [*found.values()]
    return [*found]


def test_no_letter_is_too_heavy_and_no_page_is_cut_off(sample: list[Sample]) -> None:
    for one in sample:
        boards = [len(part.as_bytes()) for part in one.mail.walk() if part.get_filename() == "orders.html"]
        assert len(one.mail.as_bytes()) - sum(boards) <= filling.MOST, one  # a board has a limit of its own
        assert len(one.html.encode()) <= 80_000, one
        assert one.html.count("<style") == 1
        assert len(one.html.partition("<style")[2].partition("</style>")[0]) <= 16_000


def test_pictures_are_few_and_a_question_has_no_map(sample: list[Sample]) -> None:
    for one in sample:
        names = pictures(one.mail)
        assert sum(name.startswith("fight-") for name in names) <= MOST_PICTURES
        if one.letter.kind == "question":
            assert "map.png" not in names


def test_a_heavy_letter_drops_the_third_fight_then_the_map_then_the_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, last, side, since = NINE
    wanted = [
        ["fight-1.png", "fight-2.png", "fight-3.png", "map.png"],
        ["fight-1.png", "fight-2.png", "map.png"],
        ["fight-1.png", "fight-2.png"],
        ["fight-1.png"],
    ]
    with cut(tmp_path, name, last + 1) as found:
        letter = found.letter(side, since)
        mail = found.sent(letter)
        assert pictures(mail) == wanted[0]
        for fewer in wanted[1:]:
            monkeypatch.setattr(filling, "MOST", _weight(mail) - 1)
            mail = found.sent(letter)
            assert pictures(mail) == fewer
            assert ("map.png" in body(mail, "plain")) == ("map.png" in fewer)


def _weight(mail: EmailMessage) -> int:
    files = sum(len(part.get_payload(decode=True)) for part in mail.walk() if part.get_filename())  # type: ignore[arg-type]
    return filling.weight(files, sum(len(body(mail, kind).encode()) for kind in ("plain", "html")))


def test_a_letter_whose_only_picture_is_too_heavy_is_as_one_without_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, side, _ = NINE
    monkeypatch.setattr(filling, "MOST", 0)
    with cut(tmp_path, name, 0) as found:
        mail = found.sent(found.letter(side, -1))
        assert pictures(mail) == []
        assert "multipart/related" not in {part.get_content_type() for part in mail.walk()}


def test_a_map_is_not_sent_twice_unchanged(tmp_path: Path) -> None:
    name, last, side, since = NINE
    with cut(tmp_path, name, last + 1) as found:
        assert "map.png" in pictures(found.sent(found.letter(side, since)))
        assert "map.png" not in pictures(found.sent(found.letter(side, since)))
        seat = next(seat for seat in found.room.seats() if seat.side == side)
        seat.map_sent = f"0{seat.map_sent}"  # of another turn
        assert "map.png" in pictures(found.sent(found.letter(side, since)))


@pytest.mark.parametrize(("terms", "wish", "number"), [("all", "on", 4), ("small", "on", 2), ("all", "small", 2),
                                                       ("none", "on", 0), ("all", "off", 0)])  # fmt: skip
def test_the_moderator_and_the_player_may_have_fewer_pictures(
    tmp_path: Path, terms: str, wish: str, number: int
) -> None:
    name, last, side, since = NINE
    with cut(tmp_path, name, last + 1, {"pictures": terms}) as found:
        next(player for seat, player in found.room.people() if seat.side == side).pictures = wish
        assert len(pictures(found.sent(found.letter(side, since)))) == number


@pytest.mark.parametrize("name", [name for book in sorted(games.titles()) for name in named(book)[-1:]])
def test_the_map_at_the_end_of_a_campaign_is_no_burden_to_a_mailbox(name: str) -> None:
    lines = lines_of(name)
    game = games.find_game(lines[0]["game"], lines[0]["scenario"], lines[0]["options"])
    table = Table(game, replay(lines, game)).seen_by(game.setting.chairs[-1])
    assert len(painted_once(letter_map(table), game)) <= 120_000
