"""The service's settings: one TOML file, and the environment over it."""

import os
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

Security = Literal["tls", "starttls", "plain"]  # plain is for loopback only
Login = Literal["password", "oauth"]  # oauth: by the consent that `pbem init --oauth` asks for and keeps


class _Part(BaseModel):
    """A table of the settings; a name that nobody knows is a slip."""

    model_config = ConfigDict(extra="forbid")


class MailServer(_Part):
    """How one of other people's servers is reached and opened."""

    what: ClassVar[str]
    host: str
    port: int
    security: Security = "tls"
    user: str = ""
    login: Login = "password"
    password: SecretStr = SecretStr("")

    def __str__(self) -> str:
        return f"{self.host}, port {self.port}"


class Mailbox(MailServer):
    """Where order mails are fetched from."""

    what = "mailbox"
    port: int = 993
    user: str
    folder: str = "INBOX"
    done_folder: str = ""  # where dealt-with mail is moved; empty: it stays and is flagged
    poll_seconds: int = 60
    idle: bool = True

    @model_validator(mode="after")
    def _can_log_in(self) -> "Mailbox":
        if self.login == "password" and not self.password.get_secret_value():
            raise ValueError("the password is missing: set it here or in PBEM_MAILBOX__PASSWORD, or login to oauth")
        return self


class Relay(MailServer):
    """Where answers and reports are sent."""

    what = "relay"
    port: int = 465


class OAuth(_Part):
    """How long the consent to use the mailbox lasts, where the provider does not say so itself."""

    consent_days: int = 0  # 0: until it is withdrawn
    warn_days: int = 5  # before its end, when the moderator is told


EMBEDDED_HOST = "embedded.fieldpost.invalid"  # whose word our own servers give for a login


class Embedded(_Part):
    """The servers that run when no mailbox is configured, on loopback, with accounts for the players."""

    smtp_port: int = 2525
    imap_port: int = 1143


class Limits(_Part):
    free_megabytes: int = Field(50, ge=0)  # on the home's disk: with less, mail stays in the mailbox
    mail_bytes: int = 2_000_000
    mails_an_hour: int = 60  # from one sender
    strangers_a_day: int = 20  # answers to all who play in no game, together; one a day to each
    authentication: Literal["off", "trusted header", "dkim"] = "off"  # who is believed about a sender
    trusted_host: str = ""  # whose Authentication-Results are believed


class Times(_Part):
    """How long the post office waits before it does something by itself."""

    outage_minutes: int = Field(60, gt=0)  # without mail service: then deadlines move by as much
    remind_days: int = Field(3, gt=0)  # after an invitation that nobody has answered,
    report_days: int = Field(7, gt=0)  # when the moderator is told,
    lapse_days: int = Field(14, gt=0)  # and when it lapses


class Keeping(_Part):
    """For how many days bytes are kept that nobody needs any more; 0: for ever. Logs and the lists of mail stay."""

    letter_days: int = Field(30, ge=0)  # a letter with its pictures, after it was sent
    mail_days: int = Field(180, ge=0)  # a mail that came, after the last one of its game, when that is over


class Settings(BaseSettings):
    """Everything a moderator may set. Secrets are never printed.

    Raises pydantic's ValidationError, which the command line puts into a sentence.
    """

    model_config = SettingsConfigDict(env_prefix="PBEM_", env_nested_delimiter="__", extra="forbid")
    home: Path = Field(default_factory=lambda: Path.home() / ".fieldpost")
    address: str = "fieldpost@localhost.example"  # the service's own; seats answer to address+token
    moderator: str = "moderator@localhost.example"
    pace: Literal["brisk", "careful"] = "brisk"  # of a new game, unless its moderator says another
    board: Literal["packed", "plain", "none"] = (
        "packed"  # the order board of a new game, unless its moderator says another
    )
    boards_url: str = ""  # where the folder of `pbem serve --boards` is to be seen; empty: there are no links to boards
    metrics_file: str = ""  # figures for Prometheus's textfile collector: its name ends in .prom; empty: none
    database: str = ""  # a URL; empty: SQLite in the home folder
    mailbox: Mailbox | None = None
    relay: Relay | None = None
    oauth: OAuth = OAuth()
    embedded: Embedded = Embedded()
    limits: Limits = Limits()
    times: Times = Times()
    keeping: Keeping = Keeping()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())

    @property
    def own_servers(self) -> bool:
        """Whether the service runs mail servers of its own: no mailbox and no relay is configured."""
        return self.mailbox is None and self.relay is None

    @property
    def database_file(self) -> Path | None:
        """SQLite in the home folder, unless another database is named."""
        return None if self.database else self.home / "fieldpost.sqlite"

    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.database_file}"


def settings_file() -> Path:
    """Where the settings are: PBEM_CONFIG, or fieldpost.toml in the home folder."""
    return Path(
        os.environ.get("PBEM_CONFIG", Path(os.environ.get("PBEM_HOME", "~/.fieldpost")).expanduser() / "fieldpost.toml")
    )
