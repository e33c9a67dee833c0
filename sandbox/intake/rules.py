"""Every rule of the intake: its short code, what is wrong, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.report import FailureClass, Finding

RULES: dict[str, tuple[str, str]] = {
    # the bytes
    "empty": ("the file has no code", "write a class Strategy as in strategies/template.py"),
    "too_big": ("the file is over 100 kB", "keep the rules and drop tables of numbers"),
    "encoding": (
        "the file is not UTF-8, or declares an encoding",
        "save it as UTF-8 and leave the declaration out",
    ),
    "character": (
        "a character that people cannot see or that reorders the line",
        "use plain letters, spaces and Unix line ends",
    ),
    "long_line": ("a line of more than 400 characters", "break the line"),
    "identifier": ("a name with letters outside of ASCII", "spell the name with a-z, 0-9 and _"),
    "pragma": (
        "a comment that switches a checker off",
        "remove the comment and mend what the checker says",
    ),
    "syntax": ("this is not Python 3.11", "mend the syntax"),
    "too_many": (
        "the file has more than 10,000 parts: names, numbers, operators, calls",
        "keep the rules and drop tables of numbers",
    ),
    "too_deep": (
        "the code is nested too deeply to be read",
        "split the expression into named steps",
    ),
    # what it may name
    "import": (
        "this import is not on the list",
        "import pandas, numpy, math, typing, datetime, adapters.base_adapter or "
        "strategies.template",
    ),
    "star_import": ("a star import hides what is used", "name what you import"),
    "import_name": (
        "this name may not be taken from that module",
        "compute it from the bars with pandas or numpy",
    ),
    "builtin": (
        "this builtin is not for strategies",
        "write the name or the attribute itself; the bars and cfg are all there is",
    ),
    "dunder": (
        "a name with two underscores reaches into Python itself",
        "use the public name; only __init__ and __name__ are needed",
    ),
    "private": ("a private attribute of something that is not yours", "use the public attribute"),
    "attribute": (
        "this attribute is not one that a strategy needs",
        'write a column as df["Name"]; else use what Series, DataFrame and ndarray offer',
    ),
    "file": ("this reads or writes outside of the bars", "use the df and cfg that you are given"),
    "clock": (
        "this reads the clock or the machine's time zone",
        "use the time of the bar: df.index[idx]",
    ),
    "random": (
        "this is random",
        "decide from the bars; the same bars must give the same decisions",
    ),
    "address": (
        "this depends on where an object lies in memory",
        "use a value of the object, such as its price or its bar",
    ),
    "evaluates": ("this runs text as code", "write the expression itself"),
    "introspection": ("this looks at how Python runs", "leave it out"),
    "format": (
        "this fills in text that was made elsewhere",
        'write an f-string, as in f"{price:.2f}"',
    ),
    "module_value": (
        "a module is passed on as a value",
        "write the module's name where you use it, as in np.mean(x)",
    ),
    "rebound": ("an imported module's name is given another meaning", "choose another name"),
    "named_function": (
        "pandas would call what this text names, and it is not a plain name of arithmetic",
        'write the name itself, as in .agg("max"), or a function, as in lambda x: x.max()',
    ),
    "uninitialised": (
        "np.empty holds whatever was in memory",
        "use np.full(n, np.nan) or np.zeros(n)",
    ),
    "set_order": (
        "the order of a set changes from run to run",
        "use a tuple or sorted(...); a set is for `in`",
    ),
    "engine": ("another engine compiles the code", "leave the engine argument out"),
    # its shape
    "spec_mismatch": (
        "interface: the class Strategy or one of its three methods is missing, or has other "
        "parameters than the contract's interface",
        "follow strategies/template.py",
    ),
    "side_effect": (
        "this runs when the file is loaded",
        "move it into a method; at the top only constants, functions and classes",
    ),
    "class_body": ("this runs when the class is made", "move it into a method"),
    "base_class": (
        "this base class can change what values mean",
        "use a plain class, a dataclass, NamedTuple, TypedDict or Enum",
    ),
    "decorator": (
        "this decorator is not on the list",
        "use dataclass, property, staticmethod, classmethod or none",
    ),
    "special_method": (
        "this special method changes how Python treats the object",
        "write a method with a name of its own",
    ),
    "global_state": (
        "this keeps state outside of the object",
        "keep it on self, and set it in __init__ or prepare_indicators",
    ),
    "mutable_default": ("a default that all calls share", "use None and make it inside"),
    "asynchronous": ("asynchronous code has no place here", "write a plain method"),
    "swallows": (
        "this hides every error",
        "name the error that you expect, as in except ZeroDivisionError",
    ),
    "endless": ("a loop without an end", "loop over a range, or leave with break"),
    "huge": (
        "a number or a repetition of this size only burns time or memory",
        "use a smaller number",
    ),
    "look_ahead": (
        "this value comes from bars after the decision",
        "shift by a positive number, and do not centre windows",
    ),
    "calendar": (
        "this waits for a date, which no other bars may have",
        "use weekday, month, day, time of day, or the bars since the entry",
    ),
    "late": (
        "this waits for more bars than any test has",
        "count from the entry or from the first bar with all indicators",
    ),
    "exact_price": (
        "this recognises one price exactly",
        "compare with < or >, or with another bar",
    ),
    "writes_bars": (
        "a decision changes the bars that it is made on",
        "compute new columns in prepare_indicators and return them",
    ),
    "live_text": (
        "this text would act in a report, a table or a log",
        'write plain words, as in "rsi below 30"',
    ),
    # tests
    "no_tests": (
        "there is no test function",
        "write def test_...() with an assert about the strategy",
    ),
    "no_strategy": (
        "the tests do not use the strategy",
        "from strategy import Strategy, and call it",
    ),
    "no_assertion": (
        "this test asserts nothing",
        "assert what the strategy answers on a bar that you built",
    ),
    "constant_assert": (
        "this assertion can never fail",
        "compare an answer of the strategy with the value expected",
    ),
    "skipped": (
        "this test can be skipped or is expected to fail",
        "remove the mark and mend the test",
    ),
    "swallowed_assertion": (
        "a failing assertion would be hidden",
        "let the assertion fail; use pytest.raises for one expected error",
    ),
    "unreached": (
        "what follows may never run",
        "remove the return, the yield or the constant condition",
    ),
    "patched": ("the test changes what it tests", "test the strategy as it is"),
    "hook": ("this is a hook of pytest", "write plain test functions"),
    "unseeded": ("random numbers without a fixed seed", "np.random.default_rng(7)"),
    "reads_source": (
        "this names a source file: how a strategy is written says nothing about what it does",
        "assert what it decides on given bars",
    ),
    "fixture_path": (
        "this file is not one of the fixtures",
        'pd.read_csv("fixtures/bars/trending_D1.csv"), or build the bars',
    ),
}
"""Code -> (what is wrong, what to write instead). What is not here cannot be reported."""

KEPT = 50
"""A report takes 50 findings for a check. Nobody reads the rest."""


def found(rule: str, line: int = 0, what: str = "") -> Finding:
    """A finding. `what` is a name from the source: an identifier, never free text."""
    why, fix = RULES[rule]
    message = f"{what[:80]}: {why}" if what else why
    return Finding(
        failure_class=FailureClass.STATIC_FAILURES, rule=rule, message=message, line=line, fix=fix
    )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By line, each once, no more than a report takes."""
    once = dict.fromkeys(sorted(findings, key=lambda f: (f.file, f.line, f.rule, f.message)))
    return tuple(once)[:KEPT]
