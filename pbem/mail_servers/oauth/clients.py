"""We as a client of a provider: our name there goes with everything that we ask for."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer

from pbem.mail_servers.oauth.by_https import post
from pbem.mail_servers.oauth.providers import Provider


class Client(BaseModel):
    """As what we are registered with a provider."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    secret: SecretStr = SecretStr("")

    @field_serializer("secret", when_used="json")
    def _kept(self, secret: SecretStr) -> str:
        return secret.get_secret_value()

    def ask(self, provider: Provider, where: str, form: Mapping[str, str]) -> dict[str, Any]:
        """A form in our own name. Raises OAuthTrouble."""
        secret = self.secret.get_secret_value()
        if secret and provider.basic:
            return post(provider.name, where, form, basic=(self.id, secret))
        named = {"client_id": self.id, **({"client_secret": secret} if secret else {})}
        return post(provider.name, where, {**form, **named})
