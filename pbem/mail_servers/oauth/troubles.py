"""What goes wrong between us and whoever gives out tokens, in words a moderator can act on."""

from typing import ClassVar

_SENTENCES = {
    "access_denied": "you said no there, so that the mailbox stays closed; begin again if that was a slip",
    "authorization_declined": "you said no there, so that the mailbox stays closed; begin again if that was a slip",
    "expired_token": "nobody gave consent in time; begin again",
    "invalid_client": "it does not know this client, or not with this secret; check --client-id and --client-secret",
    "unauthorized_client": "it does not let this client ask in this way; look again at what is to be registered",
    "invalid_scope": "it does not give out what we asked for ({description}); look again at what is to be registered",
    "invalid_grant": "the code was wrong, too old, or used already; begin again",
}


class OAuthTrouble(Exception):
    """Something between us and a provider; each kind has its own sentence."""

    tells: ClassVar[str]

    def __init__(self, provider: str = "", **more: str) -> None:
        super().__init__(self.tells.format(provider=provider, **more))


class ProviderOutOfReach(OAuthTrouble):
    """Nobody answered there, or not in a way that can be read: it may be better later."""

    tells = "{provider} gives out no tokens now: {where} did not answer as it should ({why})"


class ProviderRefused(OAuthTrouble):
    """The provider said no, with the word that the standard has for why."""

    tells = "{provider} gave no token: {said}"

    def __init__(self, provider: str, error: str, description: str = "") -> None:
        self.error, self.description = error, " ".join(description.split())[:200]
        said = f"it says {error}" + (f" ({self.description})" if self.description else "")
        known = _SENTENCES.get(error, "").format(description=self.description or error)
        super().__init__(provider, said=known or said)


class ConsentEnded(OAuthTrouble):
    """What was consented to is over: nothing but a new consent opens the mailbox again."""

    tells = (
        "{provider} no longer lets us into the mailbox ({said}): consent was withdrawn or ran out; "
        "run `pbem init --oauth {provider}` again"
    )


class NoConsent(OAuthTrouble):
    """The settings want a login by consent, and there is none."""

    tells = "nobody has consented yet; run `pbem init --oauth google`, `microsoft` or the provider's URL"


class NoRefreshToken(OAuthTrouble):
    """A consent that would be over within the hour is none."""

    tells = (
        "{provider} gave a token for the moment, but none to renew it with; ask for the scope that allows "
        "that (offline_access, mostly) with --scope, and let the registration allow it"
    )


class BadProvider(OAuthTrouble):
    """A provider that cannot be asked at all, and why."""

    tells = "{provider} cannot be asked for consent: {why}"
