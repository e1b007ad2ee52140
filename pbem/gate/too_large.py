"""A mail larger than orders ever are is not read at all."""

from pbem.gate.arrival import Arrival, TurnedAway


def judge(arrival: Arrival) -> TurnedAway | None:
    """Looks at the number of bytes and at nothing else."""
    mail, most = arrival.mail, arrival.house.settings.limits.mail_bytes
    if len(mail.raw) <= most:
        return None
    say = (
        f"Your mail has {in_words(len(mail.raw))}; at most {in_words(most)} are read. Nothing in it was carried out. "
        "Send the orders again as plain text, without pictures or files."
    )
    return TurnedAway("too_large", "answer" if mail.sender else "silent", say, {"bytes": len(mail.raw), "most": most})


def in_words(count: int) -> str:
    """A size as a person says it."""
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} MB"
    return f"{count / 1_000:.0f} kB" if count >= 1_000 else f"{count} bytes"
