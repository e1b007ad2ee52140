"""The outbox: sending queued mail by SMTP until it is delivered or given up."""

from pbem.outbox.check import relay_check
from pbem.outbox.sending import resume, send_due
from pbem.outbox.transport import RelayUnreachable, SmtpTransport, Transport, Undelivered
from pbem.outbox.verp import bounced_mail, envelope_sender

__all__ = [
    "RelayUnreachable",
    "SmtpTransport",
    "Transport",
    "Undelivered",
    "bounced_mail",
    "envelope_sender",
    "relay_check",
    "resume",
    "send_due",
]
