"""How a consent stands: when it ends, when its giver is to be told, and the words for it."""

from datetime import datetime, timedelta

from pbem.house.settings import OAuth, Settings
from pbem.mail_servers.oauth.consent_file import Consent
from pbem.mail_servers.oauth.consent_keeper import keeper_of
from pbem.mail_servers.oauth.troubles import ConsentEnded, NoConsent, OAuthTrouble


def ends(consent: Consent, settings: OAuth) -> datetime | None:
    """When it runs out: as the provider says, or else as the settings do."""
    if consent.ends is not None:
        return consent.ends
    return consent.granted + timedelta(days=settings.consent_days) if settings.consent_days else None


def ends_soon(consent: Consent, settings: OAuth, now: datetime) -> datetime | None:
    """Its end, once that is near: a quarter of its time away, or fewer days than the settings say."""
    end = ends(consent, settings)
    if end is None or consent.refused:
        return None
    known = consent.ends_known if consent.ends is not None and consent.ends_known is not None else consent.granted
    warning = min(timedelta(days=settings.warn_days), (end - known) / 4)
    return end if now >= end - warning else None


def consent_trouble(settings: Settings) -> OAuthTrouble | None:
    """What keeps us out of the mailbox, as far as the home folder tells; nobody is asked."""
    keeper = keeper_of(settings)
    if keeper is None:
        return None
    try:
        consent = keeper.kept()
    except NoConsent as missing:
        return missing
    return ConsentEnded(consent.provider.name, consent.refused) if consent.refused else None
