"""Order boards with letters: to whom they go, how they travel, what their text does when it comes back."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import games
from engine.asks import Ask
from engine.campaign import Campaign
from pbem.moderator import Act
from pbem.moderator.timing import terms
from pbem.order_board.order_tables import OrderTables, stack_lines
from pbem.store import MailOut
from tests.pbem.desk.office import Office, message_of, text_of
from tests.pbem.order_board.moments import lines_of, moments
from tests.pbem.order_board.test_board_page import block
from tests.pbem.replay.browser import shown

BOARD = "orders.html"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    found = Office(tmp_path / "home")
    found.begin({"board": "packed"})
    return found


def boards(row: MailOut) -> list[EmailMessage]:
    return [part for part in message_of(row).iter_attachments() if part.get_filename() == BOARD]  # type: ignore[misc]


def to(office: Office, side: str, rows: list[MailOut]) -> list[MailOut]:
    return [row for row in rows if row.to == office.people[side]]


def test_a_board_goes_to_whom_orders_are_asked_of_and_to_nobody_else(office: Office) -> None:
    first, second = office.people
    written = office.mail(first, "move RB8 to 0807")
    assert [len(boards(row)) for row in to(office, first, written)] == [1]
    assert [len(boards(row)) for row in to(office, second, written)] == [0]
    assert [len(boards(row)) for row in office.mail(first, "status")] == [0]
    assert [len(boards(row)) for row in office.mail(first, "check\nend")] == [0]
    assert [len(boards(row)) for row in office.mail(first, "orders")] == [1]
    assert [len(boards(row)) for row in office.mail(second, "orders")] == [0]


def test_the_first_letter_that_asks_for_orders_has_a_board(office: Office) -> None:
    first, second = office.people
    reports = [
        row for row in office.letters() if "Everybody has joined" in text_of(row) or row.key.startswith("report/")
    ]
    assert {row.to: len(boards(row)) for row in reports} == {office.people[first]: 1, office.people[second]: 0}


def test_the_moderator_may_change_the_boards_of_a_game(office: Office) -> None:
    with office.house.transaction() as session:
        terms(Act(office.house, session, cause="f" * 32), office.name, board="none")
    office.service.deal_with_all()
    assert [len(boards(row)) for row in office.mail(next(iter(office.people)), "orders")] == [0]


def test_a_board_travels_as_quoted_ascii(office: Office) -> None:
    (row,) = office.mail(next(iter(office.people)), "orders")
    (board,) = boards(row)
    assert board["Content-Transfer-Encoding"] == "quoted-printable"
    assert board.get_content_type() == "text/html"
    page = board.get_content()
    assert page.isascii()
    assert page.startswith("<!doctype html>")
    assert len(board.as_bytes()) < 1.09 * len(page)
    assert BOARD in text_of(row)


def test_a_player_may_do_without(office: Office) -> None:
    first = next(iter(office.people))
    office.mail(first, "board off")
    assert [len(boards(row)) for row in office.mail(first, "orders")] == [0]
    office.mail(first, "board on")
    assert [len(boards(row)) for row in office.mail(first, "orders")] == [1]


@pytest.mark.parametrize(("kind", "packed"), [("plain", False), ("packed", True)])
def test_the_game_says_how_it_is_written(tmp_path: Path, kind: str, packed: bool) -> None:
    office = Office(tmp_path / "home")
    office.begin({"board": kind})
    (row,) = office.mail(next(iter(office.people)), "orders")
    assert (" data-packed" in boards(row)[0].get_content()) == packed


def test_orders_of_a_hex_are_its_lines_and_its_places_lit(office: Office) -> None:
    first = next(iter(office.people))
    (row,) = office.mail(first, "orders 0806")
    assert "#move RD99, AB3 to" in text_of(row)
    pictures = [part for part in message_of(row).walk() if part.get_content_type() == "image/png"]
    assert [part.get_filename() for part in pictures] == ["reach.png"]
    assert len(pictures[0].get_payload(decode=True)) < 80_000  # type: ignore[arg-type]
    assert boards(row) == []


def test_the_lines_of_an_enemy_hex_have_their_odds() -> None:
    at = moments("korsun_spi")["combat"]
    target = at.ask.choices()[0].given["targets"][0]
    lines, places = stack_lines(at.table, at.ask, at.table.grid.hex(target))
    assert re.match(rf"#attack {target} with ", lines[0])
    assert re.match(r"#    \d+-\d+: clears ", lines[1])
    assert places == []


@pytest.mark.browser
def test_what_check_first_writes_is_called_legal_line_by_line(browser: Any, office: Office, tmp_path: Path) -> None:
    first = next(iter(office.people))
    (row,) = office.mail(first, "orders")
    file = tmp_path / BOARD
    file.write_text(boards(row)[0].get_content(), encoding="ascii")
    with shown(browser, file) as screen:
        places: set[str] = set()
        for n in range(2, 6):
            screen.page.select_option("#who", index=n)
            free = [
                p
                for p in screen("[...document.querySelectorAll('#where option')].map((o) => o.value)")
                if p not in places
            ]
            places.add(free[len(free) // 2])
            screen.page.select_option("#where", free[len(free) // 2])
            screen.page.click("#card .row button")
        link = urlsplit(screen.page.get_attribute("#check", "href"))
        lines = screen("orderBoard.sheet.lines.map((line) => line.text)")
    assert link.path == office.house.seat_address(office.seat(first).token)
    query = parse_qs(link.query)
    (answer,) = office.mail(first, query["body"][0], subject=query["subject"][0])
    assert len(lines) == 4
    for line in lines:
        assert f"{line} -- legal" in re.sub(r"\n\s+", " ", text_of(answer))


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_in_every_game_the_desk_calls_what_a_board_writes_legal(tmp_path: Path, book: str) -> None:
    office = Office(tmp_path, rulebook=book)
    office.begin()
    campaign = office.house.campaign(office.game())
    ask = campaign.asks[0]
    lines = list(lines_of(OrderTables(campaign.referee.table.seen_by(ask.side), ask)))
    for line in (lines[0], lines[-1]):
        (answer,) = office.mail(ask.side, f"check\nkey {ask.key}\n{line}")
        assert f"{line} -- legal" in re.sub(r"\n\s+", " ", text_of(answer))


def test_a_board_of_a_stage_gone_by_does_nothing_and_one_of_an_hour_ago_is_told_so(office: Office) -> None:
    first = next(iter(office.people))
    (asked,) = office.mail(first, "orders")
    key = re.search(r"^Your orders: .* Key: (\S+)", text_of(asked), re.M)
    assert key
    office.mail(first, "move RB8 to 0807")
    older = text_of(to(office, first, office.mail(first, f"key {key[1]}\nmove TB16 to 0905\nmove RB8 to 0808"))[0])
    assert f"Your orders were written for {key[1]}" in re.sub(r"\s+", " ", older)
    count = office.house.campaign(office.game()).count
    office.mail(first, "end")
    gone = text_of(to(office, first, office.mail(first, f"key {key[1]}\nmove TB16 to 0905"))[0])
    assert "NOTHING WAS CARRIED OUT" in gone
    assert office.house.campaign(office.game()).count == count + 1


# By link.


@pytest.fixture
def linking(office: Office, tmp_path: Path) -> Office:
    office.house.boards = tmp_path / "boards"
    office.house.settings.boards_url = "https://club.example/boards/"
    return office


def link_in(text: str) -> str:
    found = re.search(r"https://club\.example/boards/([0-9a-f]{32}\.html)", re.sub(r"\s+", "", text))
    return found[1] if found else ""


def test_a_link_leads_to_a_page_that_holds_no_token_and_is_gone_with_its_question(linking: Office) -> None:
    first = next(iter(linking.people))
    linking.mail(first, "board link")
    (row,) = linking.mail(first, "orders")
    assert boards(row) == []
    name = link_in(text_of(row))
    folder = linking.house.boards
    assert folder is not None
    page = (folder / name).read_text(encoding="ascii")
    assert linking.seat(first).token not in page
    assert 'content="no-store"' in page
    assert (folder / name).stat().st_mode & 0o777 == 0o644
    (second,) = to(linking, first, linking.mail(first, "move RB8 to 0807"))
    assert not (folder / name).exists()
    assert [file.name for file in folder.iterdir()] == [link_in(text_of(second))]
    linking.mail(first, "end")
    linking.mail(first, "end")
    assert link_in(text_of(second)) not in [file.name for file in folder.iterdir()]


def test_a_house_without_boards_attaches_them_whatever_was_asked(office: Office) -> None:
    first = next(iter(office.people))
    assert "no link yet" in text_of(office.mail(first, "board link")[0])
    assert [len(boards(row)) for row in office.mail(first, "orders")] == [1]


def test_where_things_are_hidden_both_sides_must_agree_to_links(tmp_path: Path) -> None:
    office = Office(tmp_path / "home", rulebook="manstein")
    office.begin({"board": "packed"})
    office.house.boards, office.house.settings.boards_url = tmp_path / "boards", "https://club.example/boards"

    def campaign() -> Campaign:
        return office.house.campaign(office.game())

    def asked() -> Ask:
        now = campaign()
        return next(ask for ask in now.asks if now.drawer.sealed(ask.key) is None)

    for _ in range(12):
        if not (campaign().position.views and asked().top):
            office.mail(asked().side, asked().default().line())
    assert campaign().position.views
    first = asked().side
    second = next(side for side in office.people if side != first)
    assert second.capitalize() in text_of(office.mail(first, "board link")[0])
    assert len(boards(office.mail(first, "orders")[0])) == 1
    office.mail(second, "board link")
    assert link_in(text_of(office.mail(first, "orders")[0]))


def test_a_page_by_link_writes_to_the_bare_address_with_the_game_in_its_subject(linking: Office) -> None:
    first = next(iter(linking.people))
    linking.mail(first, "board link")
    (row,) = linking.mail(first, "orders")
    folder = linking.house.boards
    assert folder is not None
    data = json.loads(block((folder / link_in(text_of(row))).read_text(encoding="ascii"), "data"))
    assert (data["reply"], data["subject"]) == (linking.house.settings.address, f"[{linking.name}] orders")
