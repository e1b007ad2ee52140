"""`pbem init --oauth` at the terminal: what it says, writes and keeps, and that its examples in the handbook work."""

from __future__ import annotations

import re
import shlex
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli import app, init
from pbem.house.settings import Settings
from pbem.mail_servers.oauth import providers
from pbem.mail_servers.oauth.consent_flows import by_device
from pbem.mail_servers.oauth.consent_keeper import FILE, load_consent
from pbem.mail_servers.oauth.providers import known_providers
from tests.pbem.oauth.authorisation import CLIENT, AuthorisationServer

HANDBOOK = (Path(__file__).parents[3] / "docs" / "moderators-handbook.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    pbem (init --oauth .*)$", HANDBOOK, re.M)
SERVERS = "--imap imap.club.example --smtp smtp.club.example"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; mail servers are tried out elsewhere, and nobody waits."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.delenv("PBEM_CLIENT_SECRET", raising=False)
    monkeypatch.setattr(init, "mailbox_check", lambda settings: [])
    monkeypatch.setattr(init, "recent_heads", lambda place, consent: [])
    monkeypatch.setattr(init, "by_device", lambda *given: by_device(*given, sleep=lambda seconds: None))
    return tmp_path / "home"


def run(line: str, typed: str = "", status: int = 0) -> str:
    result = CliRunner().invoke(app, shlex.split(line), input=typed)
    assert result.exit_code == status, result.output
    return " ".join(result.output.split())


def test_it_writes_settings_asks_for_consent_and_keeps_it(office: AuthorisationServer, home: Path) -> None:
    said = run(f"init --oauth {office.url} --address post@club.example {SERVERS} --client-id {CLIENT}")
    assert f"open {office.url}/enter and enter the code HERON-44" in said
    assert "The mailbox and the relay work." in said
    settings = Settings()
    assert settings.mailbox is not None
    assert settings.relay is not None
    assert (settings.mailbox.host, settings.mailbox.login, settings.relay.login) == (
        "imap.club.example",
        "oauth",
        "oauth",
    )
    assert [stat.S_IMODE((home / name).stat().st_mode) for name in (FILE, "fieldpost.toml")] == [0o600, 0o600]


def test_again_the_client_is_remembered_and_the_settings_stay(office: AuthorisationServer, home: Path) -> None:
    run(f"init --oauth {office.url} --address post@club.example {SERVERS} --client-id {CLIENT}")
    before, written = load_consent(home / FILE), (home / "fieldpost.toml").read_text()
    assert "Client id" not in run(f"init --oauth {office.url}")
    assert load_consent(home / FILE).refresh_token != before.refresh_token
    assert (home / "fieldpost.toml").read_text() == written


def test_settings_with_passwords_are_left_alone_and_it_says_what_to_write(office, monkeypatch) -> None:
    monkeypatch.setenv("PBEM_MAILBOX__PASSWORD", "swordfish")
    monkeypatch.setenv("PBEM_RELAY__PASSWORD", "swordfish")
    run(f"init --address post@club.example {SERVERS}")
    said = run(f"init --oauth {office.url} --client-id {CLIENT}")
    assert 'To have it used, write login = "oauth" below [mailbox] and [relay] in' in said


@pytest.mark.parametrize("name", known_providers())
def test_without_a_client_it_says_what_to_register_where_and_asks(name: str) -> None:
    said = run(f"init --oauth {name} --address post@club.example", status=1)
    for step in known_providers()[name].to_register:
        assert " ".join(step.split()) in said
    assert "Client id:" in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("init --oauth gogle --address a@club.example", "name google, microsoft, or the URL of another provider"),
        ("init --oauth google", "name the mailbox that the service is to use: --address"),
        (
            "init --oauth google --address a@club.example --flow device",
            "no consent to a mailbox by --flow device",
        ),
        ("init --oauth google --address a@club.example --flow carrier", "there is no flow 'carrier'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(line: str, words: str) -> None:
    assert words in run(line, status=2)


def test_a_provider_whose_mail_servers_are_not_known_wants_them_named(office: AuthorisationServer) -> None:
    said = run(f"init --oauth {office.url} --address post@club.example", status=2)
    assert "name them, --imap HOST and --smtp HOST" in said


def test_a_wrong_client_is_told_in_words(office: AuthorisationServer, home: Path) -> None:
    line = f"init --oauth {office.url} --address post@club.example {SERVERS} --client-id somebody"
    assert "check --client-id and --client-secret" in run(line, status=2)
    assert not (home / FILE).exists()


def test_an_end_that_is_known_is_told_at_once(office: AuthorisationServer) -> None:
    office.more = {"refresh_token_expires_in": 604800}
    said = run(f"init --oauth {office.url} --address post@club.example {SERVERS} --client-id {CLIENT}")
    assert "the moderator is told before" in said


def test_there_is_an_example_for_each_kind_of_provider() -> None:
    assert [shlex.split(line)[2].partition(":")[0] for line in EXAMPLES] == ["google", "microsoft", "https"]


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line.split()[2])
def test_every_example_in_the_handbook_works(
    office: AuthorisationServer, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """As it stands there, but for who answers: our own authorisation server in the provider's place."""
    seen: dict[str, Any] = {}
    published = {name: value for name, value in office.published().items() if name.endswith("_endpoint")}

    def standing_in(provider: providers.Provider) -> providers.Provider:
        offered = {name: url for name, url in published.items() if getattr(provider, name)}
        return provider.model_copy(update={**offered, "scopes": (*provider.scopes, "offline_access")})

    found = providers.find_provider

    def find(name: str, scopes: Any = ()) -> providers.Provider:
        with monkeypatch.context() as meanwhile:
            if "://" in name:
                meanwhile.setattr(providers, "ask", lambda name, url: {**office.published(), "issuer": name})
            seen["real"] = found(name, scopes)
        return standing_in(seen["real"])

    monkeypatch.setattr(init, "find_provider", find)
    monkeypatch.setattr(
        init,
        "by_browser",
        lambda provider, client, *rest: by_device(
            provider.model_copy(update=published), client, lambda code: None, sleep=lambda seconds: None
        ),
    )
    monkeypatch.setattr(office, "knows", lambda form, header: form.get("client_id") in line)
    said = run(line, typed="a secret\n" if " google " in line else "")
    assert "The mailbox and the relay work." in said
    settings = Settings()
    assert settings.mailbox is not None
    assert (settings.address, settings.mailbox.login) == ("post@club.example", "oauth")
    if seen["real"].imap is not None:
        assert (settings.mailbox.host, settings.mailbox.port) == seen["real"].imap[:2]


@pytest.mark.parametrize("name", known_providers())
def test_the_handbook_names_what_a_provider_must_allow(name: str) -> None:
    provider = known_providers()[name]
    section = HANDBOOK.partition(f"**{provider.title}.**")[2].partition("Then")[0]
    assert [
        scope for scope in provider.scopes if scope.removeprefix("https://outlook.office.com/") not in section
    ] == []
