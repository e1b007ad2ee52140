"""The last rule: whoever came this far is let in."""

from pbem.gate.arrival import Admitted, Arrival, TurnedAway


def judge(arrival: Arrival) -> Admitted | TurnedAway:
    """Lets the mail in; without exactly one chair, which `token` has seen to, it is set aside."""
    if len(arrival.chairs) != 1:
        return TurnedAway("admitted", "shunt", "it opens no chair, or more than one")
    return arrival.chairs[0]
