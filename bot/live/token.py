"""The approval token: `human_verified_<time>.<key>.<approval>.<signature>`, signed with Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bot.live.refused import Code, Refused
from schemas import codec
from schemas.live import Approval

PublicKey = Ed25519PublicKey
FORM = re.compile(
    r"(human_verified_([0-9]{10,13})\.([0-9a-f]{16})\.([A-Za-z0-9_-]+))\.([A-Za-z0-9_-]+)"
)
PURPOSE = b"stratbot live approval 1\n"
"""Signed with it, so that a signature made for anything else is worth nothing here."""
LONGEST = 30 * 86_400
EARLY = 300
MOST = 60_000


def sign(approval: Approval, key: Ed25519PrivateKey) -> str:
    payload = _text(codec.line(approval).encode())
    said = f"human_verified_{approval.granted_at:010d}.{key_id(key.public_key())}.{payload}"
    return f"{said}.{_text(key.sign(PURPOSE + said.encode()))}"


def verify(token: str, key: Ed25519PublicKey, now: int) -> Approval:
    """The approval that the token carries, or `Refused`. Nothing in it is read before it fits."""
    found = FORM.fullmatch(token) if len(token) <= MOST else None
    if found is None:
        raise Refused(Code.MALFORMED)
    said, stamp, signer, payload, signature = found.groups()
    if signer != key_id(key):
        raise Refused(Code.WRONG_KEY, f"the token names {signer}, here is {key_id(key)}")
    try:
        key.verify(_bytes(signature), PURPOSE + said.encode())
        approval = codec.load(Approval, _bytes(payload))
    except InvalidSignature:
        raise Refused(Code.FORGED) from None
    except (codec.Invalid, binascii.Error):
        raise Refused(Code.MALFORMED) from None
    if int(stamp) != approval.granted_at:
        raise Refused(Code.MALFORMED, "two times")
    _in_time(approval, now)
    return approval


def _in_time(approval: Approval, now: int) -> None:
    if approval.granted_at > now + EARLY:
        raise Refused(Code.NOT_YET)
    if approval.expires_at - approval.granted_at > LONGEST:
        raise Refused(Code.TOO_LONG)
    if now >= approval.expires_at:
        raise Refused(Code.EXPIRED)


def name_of(token: str) -> str:
    """Names a token in records without giving it away. A signature can be spelled in two ways."""
    return hashlib.sha256(token.rpartition(".")[0].encode()).hexdigest()[:32]


def key_id(key: Ed25519PublicKey) -> str:
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:16]


def read_private(pem: bytes) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError):
        raise Refused(Code.NO_KEY, "the private key is no PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused(Code.NO_KEY, "the private key is not Ed25519")
    return key


def read_public(pem: bytes) -> Ed25519PublicKey:
    try:
        key = serialization.load_pem_public_key(pem)
    except ValueError:
        raise Refused(Code.NO_KEY, "the public key is no PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise Refused(Code.NO_KEY, "the public key is not Ed25519")
    return key


def new_pair() -> tuple[bytes, bytes]:
    """A private and a public key as PEM."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, public


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
