"""The command line: what every verb says, and that nothing wrong is more than one sentence."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import games
from engine.campaign import Campaign
from engine.canonical import canonical
from pbem import cli
from pbem.cli import app
from pbem.cli.terminal import progress
from pbem.workshop.bench import engine_figures, picture_figures
from tests.engine.skirmish import RULEBOOK
from tests.pbem.shelf import only

Run = Callable[..., Result]
VERBS = [
    *("games", "rules", "new", "order", "check", "stand", "ask", "forecast", "undo", "withdraw"),
    *("play", "fuzz", "log", "replay", "verify", "coverage", "bench"),
]


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line in an empty folder, with one small game on the shelf."""
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)
    return lambda *args, stdin="": CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)


@pytest.fixture
def begun(pbem: Run) -> Run:
    assert pbem("new", "skirmish", "--log", "a.jsonl", "--seed", 3).exit_code == 0
    return pbem


def snapshot() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path.cwd().iterdir() if path.is_file()}


def wrong(result: Result, words: str) -> None:
    """One sentence on stderr, exit status 2, nothing on stdout."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    assert words in result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(pbem: Run, verb: str) -> None:
    result = pbem(verb, "--help")
    assert result.exit_code == 0
    assert f"Example: pbem {verb}" in result.stdout


def test_every_option_says_what_it_is_and_none_is_told_of_that_no_verb_has() -> None:
    said = tomllib.loads((Path(cli.__file__).parent / "options.toml").read_text())
    commands = {verb: cli._command(verb) for verb in cli.VERBS if verb not in ("game", "house")}
    house = cli._command("house").commands
    taken = {
        verb: {one.name: one for one in command.params if one.name != "help"} for verb, command in commands.items()
    }
    taken |= {f"house {verb}": {one.name: one for one in command.params} for verb, command in house.items()}
    assert all(one.help for options in taken.values() for one in options.values())
    told = {verb: options for verb, options in said.items() if verb not in ("any", "house")}
    told |= {f"house {verb}": options for verb, options in said["house"].items()}
    assert all(options.keys() <= taken[verb].keys() for verb, options in told.items())
    assert said["any"].keys() <= set().union(*taken.values())


def test_without_a_verb_the_verbs_are_listed(pbem: Run) -> None:
    result = pbem()
    assert result.exit_code == 0
    assert all(verb in result.stdout for verb in VERBS)


def test_games_lists_rulebooks_scenarios_and_options(pbem: Run) -> None:
    said = pbem("games").stdout
    assert "skirmish" in said
    assert "--scenario meadow" in said
    assert "--option weather=no|yes" in said


def test_a_new_game_says_where_it_is_and_what_is_asked(pbem: Run) -> None:
    result = pbem("new", "skirmish", "--scenario", "meadow", "--option", "weather=yes", "--log", "a.jsonl")
    assert result.exit_code == 0
    assert "weather yes" in result.stdout
    assert "proves nothing" in result.stdout
    assert "Asked of red: move a unit or end (case 1.0)" in result.stdout


def test_orders_are_answered_line_by_line_with_what_happened_and_what_is_asked(begun: Run) -> None:
    Path("orders.txt").write_text("MOVE r1, 0203\nend\n", encoding="utf-8")
    result = begun("order", "--log", "a.jsonl", "--side", "red", "orders.txt")
    assert result.exit_code == 0
    assert "move R1 0203 -- done" in result.stdout
    assert "R1 moved 0202-0203. [1.0]" in result.stdout
    assert "Asked of red: attack or end" in result.stdout


def test_orders_can_be_typed(begun: Run) -> None:
    result = begun("order", "--log", "a.jsonl", "--side", "RED", "-", stdin="end\n")
    assert result.exit_code == 0
    assert "end -- done" in result.stdout


def test_the_three_refusals_are_told_apart_and_nothing_changes(begun: Run) -> None:
    before = snapshot()
    fly = begun("order", "--log", "a.jsonl", "--side", "red", "-", stdin="move R1 0203\nfly R2 0303\n")
    far = begun("order", "--log", "a.jsonl", "--side", "red", "-", stdin="move R1 0606\n")
    assert fly.exit_code == far.exit_code == 1
    assert "fly R2 0303 -- refused\n    not understood: " in fly.stdout
    assert "move R1 0606 -- refused\n    not allowed: " in far.stdout
    assert "(case 1.3). Legal instead: " in far.stdout
    assert "Nothing was carried out." in far.stdout
    assert snapshot() == before


def test_a_check_changes_nothing_and_ends_at_the_die(begun: Run) -> None:
    before = snapshot()
    result = begun("check", "--log", "a.jsonl", "--side", "red", "-", stdin="move R1 0203\nmove R1 0204\n")
    assert result.exit_code == 1
    assert "move R1 0203 -- legal" in result.stdout
    assert "R1 has moved (case 1.2)" in result.stdout
    assert "Nothing was changed." in result.stdout
    assert snapshot() == before


def test_ask_shows_options_usage_and_how_a_line_goes_on(begun: Run) -> None:
    first = begun("ask", "--log", "a.jsonl").stdout
    assert "write: move UNIT HEX" in first
    assert "move R1 ..." in first
    assert "by default: end" in first
    assert "move R1 0203" in begun("ask", "--log", "a.jsonl", "--more", "move R1").stdout
    assert "Nothing is asked of blue now." in begun("ask", "--log", "a.jsonl", "--side", "blue").stdout


def test_a_forecast_shows_the_column_and_every_chance(begun: Run) -> None:
    result = begun("forecast", "--log", "a.jsonl", "--side", "red", "attack 0205 with R1")
    assert result.exit_code == 0
    assert "Odds 1-1" in result.stdout
    assert "50.0%" in result.stdout
    assert "[2.2]" in result.stdout


def test_a_standing_order_is_kept(begun: Run) -> None:
    result = begun("stand", "--log", "a.jsonl", "--side", "blue", "when loss: lose B1")
    assert result.exit_code == 0
    assert "when loss: lose B1" in result.stdout
    wrong(begun("stand", "--log", "a.jsonl", "--side", "blue", "whatever"), "not a standing order")


def test_undo_goes_back_and_says_so_in_the_log(begun: Run) -> None:
    begun("order", "--log", "a.jsonl", "--side", "red", "-", stdin="move R1 0203\n")
    result = begun("undo", "--log", "a.jsonl", "--line", 0, "--side", "red")
    assert result.exit_code == 0
    assert "0202  R1" in begun("replay", "a.jsonl").stdout
    assert "0203  R1" in begun("replay", "a.jsonl", "--at", 1).stdout
    assert "undo by red, back to line 0" in begun("log", "a.jsonl").stdout
    assert begun("verify", "a.jsonl").exit_code == 0


def test_a_log_is_told_in_words(begun: Run) -> None:
    begun("order", "--log", "a.jsonl", "--side", "red", "-", stdin="move R1 0203\nend\n")
    said = begun("log", "a.jsonl").stdout
    assert "Line 0" in said
    assert "Placed: 0202 R1; 0302 R2; 0205 B1; 0305 B2." in said
    assert "> red: move R1 0203" in said
    assert "Turn 1: red combat." in said


@pytest.mark.parametrize("bots", ["random", "sensible", "red=sensible,blue=random"])
def test_bots_play_a_whole_campaign_that_verifies(pbem: Run, bots: str) -> None:
    result = pbem("play", "skirmish", "--bots", bots, "--seed", 5, "--log", "b.jsonl")
    assert result.exit_code == 0, result.output
    assert "ended: " in result.stdout
    verdict = pbem("verify", "b.jsonl")
    assert verdict.exit_code == 0
    assert "b.jsonl verifies: " in verdict.stdout


def test_a_log_is_read_as_it_comes_in_a_letter(pbem: Run) -> None:
    pbem("play", "skirmish", "--seed", 5, "--log", "b.jsonl")
    plain = {verb: pbem(verb, "b.jsonl").stdout for verb in ("verify", "log", "replay")}
    content = gzip.compress(Path("b.jsonl").read_bytes())
    Path("c.jsonl.gz").write_bytes(content)
    Path("c.jsonl.gz.secret").write_bytes(Path("b.jsonl.secret").read_bytes())
    assert {verb: pbem(verb, "c.jsonl.gz").stdout.replace("c.jsonl.gz", "b.jsonl") for verb in plain} == plain
    for cut in (content[:-9], content[:20], content[:10] + b"\xff" + content[11:]):
        Path("c.jsonl.gz").write_bytes(cut)
        wrong(pbem("verify", "c.jsonl.gz"), "what is packed in it does not come out whole")


def test_nothing_is_written_to_a_packed_log(begun: Run) -> None:
    content = gzip.compress(Path("a.jsonl").read_bytes())
    Path("c.jsonl.gz").write_bytes(content)
    Path("c.jsonl.gz.secret").write_bytes(Path("a.jsonl.secret").read_bytes())
    wrong(begun("order", "--log", "c.jsonl.gz", "--side", "red", "-", stdin="end\n"), "unpack it (`gunzip c.jsonl.gz`)")
    assert Path("c.jsonl.gz").read_bytes() == content


def test_a_changed_byte_is_found_and_named(pbem: Run) -> None:
    pbem("play", "skirmish", "--seed", 5, "--log", "b.jsonl")
    content = Path("b.jsonl").read_bytes()
    Path("b.jsonl").write_bytes(content.replace(b'"path":["0202"', b'"path":["0302"', 1))
    result = pbem("verify", "b.jsonl")
    assert result.exit_code == 1
    assert "line " in result.stdout
    assert "does not verify" in result.stdout


def test_fuzz_prints_pure_json(pbem: Run) -> None:
    result = pbem("fuzz", "skirmish", "--games", 3, "--seed", 1, "--workers", 1, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["game"] == "skirmish"
    assert report["games"] == 3
    assert report["faults"] == []
    assert report["games_per_minute"] > 0


def test_bench_gives_every_figure_its_workload(pbem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.workshop.bench.MEASURES", (*engine_figures.MEASURES, *picture_figures.MEASURES))
    result = pbem("bench", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)["skirmish"]
    for name in ("replay_facts_per_s", "verify_facts_per_s", "legal_listing_ms", "resume_ms", "order_ms"):
        assert figures[name] > 0
        assert figures["workloads"][name]
    assert figures["goals"]["resume_ms"] == "at most 50"
    assert set(figures["missed"]) <= set(figures["goals"])


def test_bench_of_a_game_that_is_not_there(pbem: Run) -> None:
    wrong(pbem("bench", "skirmsh"), "did you mean skirmish")


def test_unknown_names_are_answered_in_one_sentence(pbem: Run) -> None:
    wrong(pbem("new", "skirmsh", "--log", "a.jsonl"), "did you mean skirmish")
    wrong(pbem("new", "skirmish", "--scenario", "wood", "--log", "a.jsonl"), "no scenario 'wood'")
    wrong(pbem("new", "skirmish", "--option", "weather=hail", "--log", "a.jsonl"), "weather=hail")
    wrong(pbem("new", "skirmish", "--option", "snow=yes", "--log", "a.jsonl"), "snow")
    wrong(pbem("new", "skirmish", "--option", "snow", "--log", "a.jsonl"), "NAME=VALUE")
    assert snapshot() == {}


def test_bad_arguments_are_answered_in_one_sentence(pbem: Run) -> None:
    wrong(pbem("march"), "march")
    wrong(pbem("new", "skirmish"), "--log")
    wrong(pbem("new"), "GAME")
    wrong(pbem("verify", "a.jsonl", "--loud"), "--loud")
    wrong(pbem("play", "skirmish", "--bots", "clever", "--log", "b.jsonl"), "clever")
    wrong(pbem("fuzz", "skirmish", "--games", "many"), "--games")


@pytest.mark.parametrize(
    "command",
    [
        ("log", "no.jsonl"),
        ("replay", "no.jsonl"),
        ("verify", "no.jsonl"),
        ("ask", "--log", "no.jsonl"),
        ("order", "--log", "no.jsonl", "--side", "red", "-"),
        ("forecast", "--log", "no.jsonl", "--side", "red", "attack 0205 with R1"),
    ],
)
def test_a_missing_log_is_one_sentence(pbem: Run, command: tuple[str, ...]) -> None:
    wrong(pbem(*command), "there is no file no.jsonl")


@pytest.mark.parametrize("content", [b"", b"not a log\n", b"{}\n", b"\xff\xfe\x00\n", b"[1]\n", b'{"n":0}\n'])
def test_a_file_that_is_no_log_is_one_sentence(pbem: Run, content: bytes) -> None:
    Path("no.jsonl").write_bytes(content)
    wrong(pbem("log", "no.jsonl"), "damaged")
    wrong(pbem("replay", "no.jsonl"), "damaged")
    wrong(pbem("ask", "--log", "no.jsonl"), "damaged")
    assert pbem("verify", "no.jsonl").exit_code == 1
    assert snapshot() == {"no.jsonl": content}


def test_a_damaged_log_takes_no_order(begun: Run) -> None:
    path = Path("a.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"rules":"1"', b'"rules":"2"'))
    before = snapshot()
    wrong(begun("order", "--log", "a.jsonl", "--side", "red", "-", stdin="end\n"), "damaged")
    assert snapshot() == before


def test_a_log_with_a_changed_fact_is_not_shown_as_if_it_were_true(begun: Run) -> None:
    path = Path("a.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"at":"0202"', b'"at":"0203"'))
    wrong(begun("log", "a.jsonl"), "damaged at line 0")
    wrong(begun("replay", "a.jsonl"), "damaged at line 0")


def test_orders_that_cannot_be_read_are_one_sentence(begun: Run) -> None:
    order = ("order", "--log", "a.jsonl", "--side", "red")
    Path("latin.txt").write_bytes(b"move R1 \xe9\n")
    Path("empty.txt").write_bytes(b"\n")
    Path("folder").mkdir()
    before = snapshot()
    wrong(begun(*order, "no.txt"), "there is no file no.txt")
    wrong(begun(*order, "latin.txt"), "UTF-8")
    wrong(begun(*order, "empty.txt"), "no orders")
    wrong(begun(*order, "folder"), "folder")
    wrong(begun("order", "--log", "a.jsonl", "--side", "green", "-", stdin="end\n"), "there is red or blue")
    assert snapshot() == before


def test_a_log_is_never_overwritten(begun: Run) -> None:
    before = snapshot()
    wrong(begun("new", "skirmish", "--log", "a.jsonl"), "already")
    wrong(begun("play", "skirmish", "--log", "a.jsonl"), "already")
    wrong(begun("new", "skirmish", "--log", "nowhere/a.jsonl"), "no folder")
    assert snapshot() == before


def test_a_line_that_is_not_there_is_one_sentence(begun: Run) -> None:
    wrong(begun("replay", "a.jsonl", "--at", 9), "the lines are 0 to 0")
    wrong(begun("undo", "--log", "a.jsonl", "--line", 9, "--side", "red"), "last line")
    wrong(begun("undo", "--log", "a.jsonl", "--line", 0), "--side")
    wrong(begun("forecast", "--log", "a.jsonl", "--side", "red", "end"), "(case 2.0)")
    wrong(begun("rules", "skirmish"), "no case ledger")


def test_a_players_own_copy_of_the_log_verifies_and_a_doctored_one_does_not(begun: Run, tmp_path: Path) -> None:
    copy = tmp_path / "mine.jsonl"
    lines = Campaign.open(tmp_path / "a.jsonl", games.find_game).export("red")
    raw = b"".join(canonical(line) + b"\n" for line in lines)
    copy.write_bytes(raw)
    assert "a player's copy, verifies" in begun("verify", copy).stdout
    copy.write_bytes(raw.replace(b"Placed", b"Plased", 1))
    found = begun("verify", copy)
    assert found.exit_code == 1
    assert "does not verify" in found.stdout


def test_long_work_that_nobody_watches_tells_how_far_it_is_once_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([0.0, 59.0, 60.0, 61.0, 185.0])
    with progress("playing", clock=lambda: next(now)) as bar:
        for done in (1, 2, 3, 4):
            bar(done, 9)
    assert capsys.readouterr().err.splitlines() == ["playing: 2 of 9 after 1 min", "playing: 4 of 9 after 3 min"]
