"""A signing key made for the tests, so that none lies about, and the DNS record that goes with it."""

from __future__ import annotations

import base64
import random
from functools import cache
from math import gcd

import dkim  # type: ignore[import-untyped]

E = 65537


def _prime(dice: random.Random, bits: int) -> int:
    while True:
        number = dice.getrandbits(bits) | (3 << (bits - 2)) | 1
        small = all(number % divisor for divisor in range(3, 2000, 2))
        if small and gcd(number - 1, E) == 1 and all(pow(b, number - 1, number) == 1 for b in (2, 3, 5, 7, 11)):
            return number


def _der(tag: int, body: bytes) -> bytes:
    size = len(body)
    length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + body


def _number(value: int) -> bytes:
    return _der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


@cache
def key_pair() -> tuple[bytes, bytes]:
    """The private key as PEM, and the TXT record of the public one."""
    dice = random.Random(1944)
    p, q = _prime(dice, 512), _prime(dice, 512)
    n, d = p * q, pow(E, -1, (p - 1) * (q - 1))
    numbers = (0, n, E, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    private = base64.b64encode(_der(0x30, b"".join(map(_number, numbers))))
    public = _der(0x30, _number(n) + _number(E))
    kind = bytes.fromhex("300d06092a864886f70d0101010500")
    record = base64.b64encode(_der(0x30, kind + _der(0x03, b"\0" + public)))
    label = b"RSA PRIVATE KEY-----\n"
    return b"-----BEGIN " + label + private + b"\n-----END " + label, b"v=DKIM1; k=rsa; p=" + record


def signed(raw: bytes, domain: str, *, length: bool = False) -> bytes:
    """The mail with its domain's signature."""
    headers = [b"from", b"to", b"subject"]
    return dkim.sign(raw, b"post", domain.encode(), key_pair()[0], include_headers=headers, length=length) + raw


def dns_of(*domains: str):  # type: ignore[no-untyped-def]
    """A DNS that knows the key of these domains."""
    known = {f"post._domainkey.{domain}.".encode(): key_pair()[1] for domain in domains}
    return lambda name, timeout=5: known.get(name)
