"""What goes wrong between us and whoever gives out tokens, in words a moderator can act on."""

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


class ProviderOutOfReach(OAuthTrouble):
    """Nobody answered there, or not in a way that can be read: it may be better later."""

    def __init__(self, provider: str, where: str, why: str) -> None:
        super().__init__(provider, where, why)
        self.provider, self.where, self.why = provider, where, why

    def __str__(self) -> str:
        return f"{self.provider} gives out no tokens now: {self.where} did not answer as it should ({self.why})"


class ProviderRefused(OAuthTrouble):
    """The provider said no, with the word that the standard has for why."""

    def __init__(self, provider: str, error: str, description: str = "") -> None:
        super().__init__(provider, error, description)
        self.provider, self.error, self.description = provider, error, " ".join(description.split())[:200]

    def __str__(self) -> str:
        said = f"it says {self.error}" + (f" ({self.description})" if self.description else "")
        told = _SENTENCES.get(self.error, said).format(description=self.description or self.error)
        return f"{self.provider} gave no token: {told}"


class ConsentEnded(OAuthTrouble):
    """What was consented to is over: nothing but a new consent opens the mailbox again."""

    def __init__(self, provider: str, said: str) -> None:
        super().__init__(provider, said)
        self.provider, self.said = provider, said

    def __str__(self) -> str:
        return (
            f"{self.provider} no longer lets us into the mailbox ({self.said}): consent was withdrawn or ran out; "
            f"run `pbem init --oauth {self.provider}` again"
        )


class NoConsent(OAuthTrouble):
    """The settings want a login by consent, and there is none."""

    def __str__(self) -> str:
        return "nobody has consented yet; run `pbem init --oauth google`, `microsoft` or the provider's URL"


class NoRefreshToken(OAuthTrouble):
    """A consent that would be over within the hour is none."""

    def __init__(self, provider: str) -> None:
        super().__init__(provider)
        self.provider = provider

    def __str__(self) -> str:
        return (
            f"{self.provider} gave a token for the moment, but none to renew it with; ask for the scope that allows "
            "that (offline_access, mostly) with --scope, and let the registration allow it"
        )


class BadProvider(OAuthTrouble):
    """A provider that cannot be asked at all, and why."""

    def __init__(self, provider: str, why: str) -> None:
        super().__init__(provider, why)
        self.provider, self.why = provider, why

    def __str__(self) -> str:
        return f"{self.provider} cannot be asked for consent: {self.why}"
