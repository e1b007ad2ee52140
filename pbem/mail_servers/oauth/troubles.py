"""What goes wrong between us and whoever gives out tokens, in words a moderator can act on."""

from pathlib import Path

from engine.folder import read_toml

SENTENCES = read_toml(Path(__file__).parents[1], "troubles.toml")


class OAuthTrouble(Exception):
    """Something between us and a provider; each kind has its own sentence."""

    def __init__(self, provider: str = "", **more: str) -> None:
        super().__init__(SENTENCES[type(self).__name__].format(provider=provider, **more))


class ProviderOutOfReach(OAuthTrouble):
    """Nobody answered there, or not in a way that can be read: it may be better later."""


class ProviderRefused(OAuthTrouble):
    """The provider said no, with the word that the standard has for why."""

    def __init__(self, provider: str, error: str, description: str = "") -> None:
        self.error, self.description = error, " ".join(description.split())[:200]
        said = f"it says {error}" + (f" ({self.description})" if self.description else "")
        known = SENTENCES["refusals"].get(error, "").format(description=self.description or error)
        super().__init__(provider, said=known or said)


class ConsentEnded(OAuthTrouble):
    """What was consented to is over: nothing but a new consent opens the mailbox again."""


class NoConsent(OAuthTrouble):
    """The settings want a login by consent, and there is none."""


class NoRefreshToken(OAuthTrouble):
    """A consent that would be over within the hour is none."""


class BadProvider(OAuthTrouble):
    """A provider that cannot be asked at all, and why."""
