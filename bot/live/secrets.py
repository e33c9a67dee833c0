"""Credentials from the environment, a private file, Vault or AWS. Never printed, never kept."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path

from bot.live.redact import Redactor, Secret
from bot.live.refused import Code, Refused

Env = MutableMapping[str, str]


def load(source: str, names: tuple[str, ...], env: Env, redactor: Redactor) -> dict[str, Secret]:
    """The named credentials from a source such as `file:/home/me/keys.json`."""
    kind, _, place = source.partition(":")
    if kind not in SOURCES:
        raise Refused(Code.NO_SECRET, f"unknown source {kind[:20]!r}, use {', '.join(SOURCES)}")
    if not names:
        return {}
    given = SOURCES[kind](place, names, env)
    secrets = {n: Secret(str(given[n])) for n in names if given.get(n)}
    for secret in secrets.values():
        redactor.learn(secret)
    missing = [n for n in names if n not in secrets]
    if missing:
        raise Refused(Code.NO_SECRET, f"{missing[0]} from {kind}")
    return secrets


def from_environment(place: str, names: tuple[str, ...], env: Env) -> Mapping[str, object]:
    """Taken out of the environment, so that no child process and no strategy finds them there."""
    prefix = place or "STRATBOT_"
    return {n: env.pop(f"{prefix}{n.upper()}", "") for n in names}


def from_file(place: str, names: tuple[str, ...], env: Env) -> Mapping[str, object]:
    """JSON. The file is checked while it is open: what is checked is what is read."""
    try:
        with open(Path(place).expanduser(), encoding="utf-8") as file:
            facts = os.fstat(file.fileno())
            if stat.S_IMODE(facts.st_mode) & 0o077 or facts.st_uid != os.getuid():
                raise Refused(Code.OPEN_FILE, place)
            return _object(file.read(), place)
    except OSError as error:
        raise Refused(Code.NO_SECRET, f"{place}: {error.strerror}") from None


def from_vault(place: str, names: tuple[str, ...], env: Env) -> Mapping[str, object]:
    """A key-value secret (version 2) at `<mount>/<path>`; address and token as Vault's own tool."""
    import hvac  # optional, and slow to import

    mount, _, path = place.partition("/")
    client = hvac.Client(url=env.get("VAULT_ADDR"), token=env.pop("VAULT_TOKEN", None), timeout=20)
    try:
        told = client.secrets.kv.v2.read_secret_version(
            path=path, mount_point=mount, raise_on_deleted_version=True
        )
        return dict(told["data"]["data"])
    except Exception as error:  # its own and those of requests; the message may hold anything
        raise Refused(Code.NO_SECRET, f"Vault: {type(error).__name__}") from None


def from_aws(place: str, names: tuple[str, ...], env: Env) -> Mapping[str, object]:
    """A JSON secret by name; region and identity as AWS's own tool finds them."""
    import boto3  # optional, and slow to import

    try:
        client = boto3.client("secretsmanager", endpoint_url=env.get("AWS_ENDPOINT_URL"))
        told = client.get_secret_value(SecretId=place)["SecretString"]
    except Exception as error:  # botocore makes its exceptions at run time
        raise Refused(Code.NO_SECRET, f"AWS: {type(error).__name__}") from None
    return _object(told, "the secret in AWS")


def _object(text: str, place: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Refused(Code.NO_SECRET, f"{place}: not a JSON object")
    return found


SOURCES: dict[str, Callable[[str, tuple[str, ...], Env], Mapping[str, object]]] = {
    "env": from_environment,
    "file": from_file,
    "vault": from_vault,
    "aws": from_aws,
}
