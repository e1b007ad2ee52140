"""`pbem game`, `pbem init` and `pbem watch` on the command line: what they say, and that trouble is one sentence."""

from __future__ import annotations

import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import app
from pbem.cli.moderating import app as verbs
from pbem.house.settings import Settings
from tests.pbem.security.office import ANNA, BRUNO

pytestmark = pytest.mark.on_files

Run = Callable[..., Result]
NEW = ("game", "new", "korsun_spi", "--scenario", "proving", "--pictures", "none")


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line with a home of its own."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return lambda *args, stdin="": CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)


def wrong(result: Result, words: str) -> None:
    """One sentence on stderr, exit status 2, nothing on stdout."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    assert words in result.stderr


@pytest.mark.parametrize("verb", sorted(command.name or "" for command in verbs.registered_commands))
def test_every_verb_has_help_with_an_example(pbem: Run, verb: str) -> None:
    result = pbem("game", verb, "--help")
    assert result.exit_code == 0
    assert f"pbem game {verb}" in result.stdout.partition("Example:")[2]


@pytest.mark.parametrize("verb", ["init", "serve", "watch"])
def test_init_serve_and_watch_have_help_with_an_example(pbem: Run, verb: str) -> None:
    assert f"Example: pbem {verb}" in pbem(verb, "--help").stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("game", "show", "nothing"), "there is no game 'nothing'"),
        (("game", "new", "chess", "--white", ANNA), "there is no game called 'chess'"),
        ((*NEW, "--soviet", ANNA), "nobody is to play german"),
        ((*NEW, "--soviet", ANNA, "--german"), "--german needs a mail address"),
        ((*NEW, "--soviet", ANNA, "--german", "bruno"), "is no mail address"),
        ((*NEW, "--soviet", ANNA, "--german", BRUNO, "--deadline", "soon"), "cannot be 'soon'"),
        ((*NEW, "--soviet", ANNA, "--german", BRUNO, "--errors", "maybe"), "maybe"),
        ((*NEW, "--soviet", ANNA, "--german", BRUNO, "--option", "weather"), "NAME=VALUE"),
        ((*NEW, "--soviet", ANNA, "--german", BRUNO, "stray"), "'stray' is not understood"),
        (("game", "act", "nothing", "soviet", "missing.txt"), "there is no file missing.txt"),
        (("game", "retry", "12345678"), "no mail that was set aside"),
        (("game", "dance"), "dance"),
        (("game", "mailbox", ANNA), "has no mailbox here"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(pbem: Run, args: tuple[str, ...], said: str) -> None:
    wrong(pbem(*args), said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('address = "unclosed', "not TOML"),
        ('colour = "red"', "the settings are wrong at colour"),
        ('[mailbox]\nhost = "imap.club.example"', "the settings are wrong at mailbox.user"),
        ('database = "postgres-but-not-quite"', "the database cannot be opened"),
    ],
)
def test_settings_that_cannot_be_used_are_one_sentence(pbem: Run, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "fieldpost.toml").write_text(text)
    wrong(pbem("game", "list"), said)


def test_a_mailbox_without_a_relay_is_not_served(pbem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("HOST", "127.0.0.1"), ("USER", "post"), ("PASSWORD", "swordfish")):
        monkeypatch.setenv(f"PBEM_MAILBOX__{name}", value)
    wrong(pbem("serve"), "the settings have no [relay]")


def test_orders_that_come_back_give_exit_status_1(pbem: Run) -> None:
    assert pbem(*NEW, "--name", "robots", "--soviet", "bot:random", "--german", ANNA).exit_code == 0
    result = pbem("game", "act", "robots", "soviet", stdin="end\n")
    wrong(result, "robots is invited")


def test_init_writes_a_file_that_the_service_reads_and_only_its_owner(pbem: Run, tmp_path: Path) -> None:
    result = pbem("init", "--address", "post@club.example", "--moderator", "konev@club.example")
    assert result.exit_code == 0, result.output
    place = tmp_path / "home" / "fieldpost.toml"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert Settings().address == "post@club.example"
    assert Settings().mailbox is None
    wrong(pbem("init"), "there is a settings file")


def test_init_with_servers_fills_them_in_and_asks_for_the_passwords(
    pbem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = pbem(
        "init", "--address", "post@club.example", "--imap", "imap.club.example", "--smtp", "smtp.club.example"
    )
    assert "PBEM_MAILBOX__PASSWORD and PBEM_RELAY__PASSWORD" in result.stdout
    monkeypatch.setenv("PBEM_MAILBOX__PASSWORD", "swordfish")
    monkeypatch.setenv("PBEM_RELAY__PASSWORD", "swordfish")
    found = Settings()
    assert found.mailbox is not None
    assert found.relay is not None
    assert (found.mailbox.host, found.relay.user) == ("imap.club.example", "post@club.example")
    assert "swordfish" not in (tmp_path / "home" / "fieldpost.toml").read_text()


def test_every_setting_stands_in_the_file_with_its_usual_value(pbem: Run, tmp_path: Path) -> None:
    pbem("init", "--imap", "imap.club.example", "--smtp", "smtp.club.example")
    written = tomllib.loads((tmp_path / "home" / "fieldpost.toml").read_text())
    for name, field in Settings.model_fields.items():
        assert name in written or name == "database", name
        inner = getattr(field.annotation, "model_fields", None)
        for setting in inner or ():
            assert setting in written[name], f"{name}.{setting}"


def test_init_says_in_words_what_is_wrong_with_the_servers(pbem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for box in ("MAILBOX", "RELAY"):
        for name, value in (("HOST", "127.0.0.1"), ("PORT", "9"), ("USER", "post"), ("PASSWORD", "swordfish")):
            monkeypatch.setenv(f"PBEM_{box}__{name}", value)
    result = pbem("init", "--check")
    assert result.exit_code == 1
    assert result.stdout.startswith("mailbox:")
    assert "relay:" in result.stdout
    assert "swordfish" not in result.stdout
    wrong(pbem("init", "--imap", "imap.club.example"), "name both servers")


def test_watch_prints_the_table_once(pbem: Run) -> None:
    pbem(*NEW, "--name", "mill", "--soviet", ANNA, "--german", BRUNO)
    shown = pbem("watch", "--once").stdout
    assert "mill" in shown
    assert "to join" in shown


def test_a_bots_chair_answers_as_soon_as_the_moderator_fills_it(pbem: Run) -> None:
    result = pbem(*NEW, "--name", "robots", "--soviet", "bot:random", "--german", "bot:random")
    assert result.exit_code == 0, result.output
    assert "robots  finished" in pbem("game", "list", "--all").stdout
