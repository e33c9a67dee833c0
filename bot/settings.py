"""Every setting that a variable of the repository can change, and the values in force. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import partial
from typing import Any

from schemas import codec
from schemas.workflow import Policy

POLICY = "STRATBOT_POLICY"
NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
MODEL = re.compile(r"[!-~]{1,200}")
MOST_COST = Decimal(1000)


class BadSetting(ValueError):
    """A variable that cannot be used. Nothing is guessed: it may be a guard."""


@dataclass(frozen=True, slots=True)
class Setting:
    """`field`: where the Policy of a request keeps it; empty where a job reads it by itself."""

    name: str
    means: str
    field: str = ""
    default: str = ""


SETTINGS = (
    Setting("MAX_RETRIES", "retries of lost or failed work before a person is asked",
            "max_retries"),
    Setting("MAX_DEBUG_ATTEMPTS", "repairs of a step before a person is asked",
            "max_debug_attempts"),
    Setting("TASK_TIMEOUT", "seconds until work is taken for lost", "task_timeout",
            "900 to 3600, by kind of work"),
    Setting("SANDBOX_TIMEOUT", "seconds for each container", "sandbox_timeout"),
    Setting("MIN_LINE_COV", "percent of a strategy's lines that its tests must reach",
            "min_line_coverage"),
    Setting("MODEL_NAME", "the model that writes", default="none"),
    Setting("TEST_MODEL", "the model that plans and writes added tests", default="MODEL_NAME"),
    Setting("STRATBOT_MAX_COST", "USD for one piece of work of a model", default="2"),
)  # fmt: skip
DERIVED = {"home", "owners", "asks_first"}
"""Of the policy, but found out from the repository and its writer."""
OF_REQUESTS = tuple(setting for setting in SETTINGS if setting.field)
"""Kept with a request when it is opened, so that its decisions need nothing else."""


@dataclass(frozen=True, slots=True)
class Value:
    """What is in force for new requests, and which variable says so; `source` may be "default"."""

    name: str
    value: str
    source: str
    means: str = ""


def policy_of(variables: Mapping[str, str]) -> Policy:
    """STRATBOT_POLICY, and over it the variables with names of their own."""
    raw = variables.get(POLICY)
    said = codec.load(Policy, raw) if raw else Policy()
    for setting in OF_REQUESTS:
        if given := _given(variables, setting.name):
            said = replace(said, **{setting.field: _field(setting, given)})
    return said


def _field(setting: Setting, given: str) -> Any:
    """Bounds and type are those of the document."""
    number = json.loads(given) if _is_number(given) else given
    try:
        return getattr(codec.load(Policy, json.dumps({setting.field: number})), setting.field)
    except codec.Invalid as error:
        why = error.problems[0].partition(": ")[2]
        raise BadSetting(f"{setting.name}: {given[:40]!r} cannot be used: {why}.") from None


def _is_number(given: str) -> bool:
    return bool(NUMBER.fullmatch(given)) and not re.match(r"0[0-9]", given)


def model_of(variables: Mapping[str, str], name: str) -> str:
    """Empty where none is set."""
    given = _given(variables, name)
    if given and not MODEL.fullmatch(given):
        raise BadSetting(f"{name}: {given[:40]!r} is not the name of a model.")
    return given


def most_cost(variables: Mapping[str, str]) -> Decimal:
    """Of a model for one piece of work, in USD."""
    given = _given(variables, "STRATBOT_MAX_COST") or "2"
    if not NUMBER.fullmatch(given) or not 0 < Decimal(given) <= MOST_COST:
        told = f"is not an amount above 0, at most {MOST_COST}"
        raise BadSetting(f"STRATBOT_MAX_COST: {given[:40]!r} {told}.")
    return Decimal(given)


def problems(variables: Mapping[str, str]) -> Iterator[str]:
    """Why variables cannot be used, each on its own. STRATBOT_POLICY is told apart."""
    alone = ({setting.name: _given(variables, setting.name)} for setting in OF_REQUESTS)
    reads: list[Callable[[], object]] = [partial(policy_of, one) for one in alone]
    reads += [partial(model_of, variables, name) for name in ("MODEL_NAME", "TEST_MODEL")]
    reads.append(partial(most_cost, variables))
    for read in reads:
        try:
            read()
        except BadSetting as error:
            yield str(error)


def in_force(variables: Mapping[str, str]) -> tuple[Value, ...]:
    """For variables that can be read. What has a name of its own comes first."""
    policy, said = policy_of(variables), json.loads(variables.get(POLICY) or "{}")
    named = tuple(_value(setting, variables, policy, said) for setting in SETTINGS)
    known = {setting.field for setting in SETTINGS}
    rest = (f.name for f in fields(policy) if f.name not in known and f.name not in DERIVED)
    return (*named, *(_of_policy(name, policy, said) for name in rest))


def _value(
    setting: Setting, variables: Mapping[str, str], policy: Policy, said: Mapping[str, Any]
) -> Value:
    given = _given(variables, setting.name)
    if given or not setting.field:
        source = "variable" if given else "default"
        return Value(setting.name, given or setting.default, source, setting.means)
    kept = getattr(policy, setting.field)
    source = POLICY if setting.field in said else "default"
    shown = setting.default if kept is None else f"{kept:g}"
    return Value(setting.name, shown, source, setting.means)


def _of_policy(name: str, policy: Policy, said: Mapping[str, Any]) -> Value:
    value = getattr(policy, name)
    shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return Value(name, shown, POLICY if name in said else "default")


def _given(variables: Mapping[str, str], name: str) -> str:
    return (variables.get(name) or "").strip()
