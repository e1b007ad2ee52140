"""A mail larger than orders ever are is not read at all."""

from pbem.gate.arrival import Arrival, TurnedAway


def judge(arrival: Arrival) -> TurnedAway | None:
    """Looks at the number of bytes and at nothing else."""
    mail, most = arrival.mail, arrival.house.settings.limits.mail_bytes
    if len(mail.raw) <= most:
        return None
    size = in_words(len(mail.raw))
    return TurnedAway.told("too_large", "answer" if mail.sender else "silent", size=size, most=in_words(most))


def in_words(count: int) -> str:
    """A size as a person says it."""
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} MB"
    return f"{count / 1_000:.0f} kB" if count >= 1_000 else f"{count} bytes"
