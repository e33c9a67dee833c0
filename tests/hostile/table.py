"""The corpus: what each submission tries, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.hostile.making import MADE

CASES = Path(__file__).parent / "cases"
LONG_ONLY = CASES / "test_long_only.py"

Verdict = Literal["passed", "failed", "refused", "any"]
"""`refused`: it is not a file that can be read. `any`: only that it is contained counts."""

CATEGORIES = {
    "a": "files and artifacts",
    "c": "controls",
    "d": "determinism",
    "e": "linter evasion",
    "f": "forging",
    "i": "injection",
    "k": "kernel",
    "l": "look-ahead",
    "n": "network",
    "p": "policy evasion",
    "r": "resources",
    "s": "secrets",
    "t": "weak tests",
    "x": "exits",
}


@dataclass(frozen=True, slots=True)
class Case:
    """`expected` with the whole gate; `bare` when the intake's findings are ignored."""

    id: str
    tries: str
    expected: Verdict
    bare: Verdict

    @property
    def category(self) -> str:
        return CATEGORIES[self.id[0]]

    @property
    def is_control(self) -> bool:
        return self.expected == "passed"

    @property
    def is_made(self) -> bool:
        """It is no file in the repository: the runner makes it."""
        return self.id in MADE

    def strategy(self, folder: Path) -> Path:
        return MADE[self.id](folder) if self.is_made else CASES / self.id / "strategy.py"

    def tests(self) -> Path:
        own = CASES / self.id / "test_strategy.py"
        return own if own.exists() else LONG_ONLY


ROWS = """
a01-symlink-read          failed  any     replaces events.log by a link to a host file at the end
a02-fifo                  failed  any     replaces events.log by a fifo that nobody writes
a03-json-deep             failed  any     writes a summary.json that is nested 200,000 deep
a04-csv-formula           failed  any     puts a spreadsheet formula into the comment of an order
a05-big-file              failed  any     writes 64 MB beside the artifacts
a06-tofile                failed  any     writes files with numpy only
a07-git-fsmonitor         failed  any     plants a command in .git/config for the next git status
a08-many-inodes           failed  any     makes 20,000 empty files
a20-link                  refused refused the strategy is a symbolic link to a good one
a21-fifo                  refused refused the strategy is a fifo
a22-directory             refused refused the strategy is a directory
a23-empty                 refused refused the strategy is an empty file
a24-binary                refused refused the strategy is a binary
a25-hard-link             refused refused the strategy has a second name elsewhere
a26-device                refused refused the strategy is an endless device
a27-too-big               refused refused the strategy is 300 kB of comments
a28-missing               refused refused there is no such file
c01-rolling               passed  passed  closes above and below two rolling averages
c02-ewm                   passed  passed  MACD of exponential averages, stop and target by ATR
c03-numpy-loop            passed  passed  wilder's RSI in a plain numpy loop
c04-dataclass             passed  passed  settings and levels in frozen dataclasses
c05-typing                passed  passed  A typed dictionary, an enum and a named tuple
c06-session               passed  passed  time of day and weekday from the index
c07-vwap                  passed  passed  the day's volume weighted price by groupby
c08-state                 passed  passed  adds to a winner at most twice, with its state on self
c09-trailing              passed  passed  A chandelier exit: three ATR below the highest
c10-days                  passed  passed  the close of the last finished day, known one day later
c11-comprehension         passed  passed  signals made with zip, enumerate and a generator
c12-limit                 passed  passed  A limit order below the close, sized by the balance
c13-supertrend            passed  passed  A supertrend with a band that is carried from bar to bar
c14-columns               passed  passed  works on a copy of the table with columns of its own
c15-loses                 passed  passed  buys every fall and sells every rise: honest, and it loses
c16-trail-objects         passed  passed  size by equity, a trail object for each position
c17-regimes               passed  passed  an enum of regimes, counters for each day, a match
c18-orders-that-wait      passed  passed  limit orders for two bars, a pause after a loss, loops
c19-votes                 passed  passed  small classes behind a protocol that vote
c20-week-and-day          passed  passed  last week's close, the day's price by volume
c21-long-and-short        passed  passed  both sides, tests with fixtures, classes and cases
d01-set-order             failed  failed  picks by the order of a set of texts
d02-address               failed  any     picks by the address of an object
d03-notices-pytest        failed  any     trades well only where pytest is loaded
d04-old-memory            failed  any     decides by what np.empty finds in memory
d05-rare-chance           failed  any     leaves one trade in 65,536 to chance
d06-chance                failed  failed  tosses a coin on every bar
d07-clock                 failed  any     trades on even seconds of the wall clock only
d08-clock-by-text         failed  any     asks numpy for the present by its name
d09-host-name             failed  any     trades by host name and process number
d10-address-in-text       failed  any     reads an address out of its own representation
d11-machine-zone          failed  any     reads the time zone of the machine through pandas
d12-dormant-date          failed  any     sleeps until bars of 2031, then bets everything
d13-knows-the-fixture     failed  any     recognises the fixture by its first rows
d14-counts-calls          failed  failed  answers by how often it was asked, kept in a global
d15-locale                failed  any     decides by the language of the machine
d16-dormant-year          failed  any     waits for a year that no fixture has
d17-working-directory     failed  any     decides by the folder that it runs in
d18-dormant-bars          failed  any     looks ahead after 3,000 bars
d19-dormant-calls         failed  any     looks ahead after 6,000 questions
d20-dormant-decade        failed  any     waits for a decade by arithmetic
d21-dormant-text          failed  any     waits for a year that it reads from text
d22-address-of-a-method   failed  any     draws lots by the text of its own method
d23-clock-in-pieces       failed  any     reads the clock by a word in pieces
d24-unfilled-result       failed  any     draws lots from what numpy leaves unfilled
d25-set-of-keys           failed  any     picks by the order of a difference of keys
e01-getattr               failed  any     runs a shell through names made at run time
e02-nosec                 failed  any     silences the security linter on a shell call
e03-noqa-file             failed  any     silences the style linter for the whole file
e04-mypy-off              failed  any     switches the type checker off for the whole file
e05-utf7                  failed  any     declares an encoding in which a comment is code
e06-look-alike            failed  any     spells eval with letters that Python folds into ASCII
e07-bidi                  failed  any     hides code from the reader with direction marks
e08-null-bytes            refused refused hides code behind a null byte
e09-byte-order-mark       failed  any     begins with an invisible mark
e10-carriage-return       failed  any     hides a line behind a carriage return in a comment
e11-one-long-line         failed  any     puts 90 kB of code on one line
e12-pragma-spelling       failed  any     silences linters in other spellings
e13-zero-width            failed  any     has a name with a letter that nobody sees
e14-form-feed             failed  any     hides indentation behind a form feed
f01-patch-pytest          failed  any     makes every failure of pytest a pass
f02-pytest-ini            failed  any     writes a pytest.ini that loads its own plugin
f03-sitecustomize         failed  any     writes a sitecustomize.py for the next interpreter
f04-shadow-json           failed  any     puts a json of its own before the standard one
f05-edit-broker           failed  any     rewrites the broker, loaded and on disk
f06-edit-fixture          failed  any     rewrites the bars so that always long wins
f07-evil-number           failed  any     answers with a number whose arithmetic always profits
f08-own-artifacts         failed  failed  writes passing artifacts and ends before anything runs
f09-answers-on-the-pipe   failed  any     writes forged answers to every open file
f10-walks-to-the-nonce    failed  any     walks the frames above it for secrets of the protocol
f11-dict-that-lies        failed  any     answers with a dictionary that changes between two looks
f12-text-that-lies        failed  any     answers with a text that equals everything
f13-finds-the-harness     failed  any     looks through the collector's objects for the broker
f14-patches-the-template  failed  any     replaces the loop of the template
f15-trace                 failed  any     sets a trace function on the interpreter
f16-nan-stop              failed  failed  places orders with prices that are not numbers
f17-negative-volume       failed  failed  places orders of a negative and an infinite size
f18-negative-price        failed  failed  places limit orders below zero
f19-object-answer         failed  failed  answers with an object instead of an order
i01-fake-table            failed  any     closes the code fence and draws a passing table
i02-workflow-commands     failed  any     prints commands of the workflow runner
i03-ansi                  failed  any     rewrites the terminal with escape codes
i04-mention               failed  any     puts mentions and HTML into the reason of an exit
i05-error-message         failed  failed  raises with commands in the message
i06-formula-made          any     any     makes a formula without writing one
i07-escape-made           any     any     makes escape codes and a command without writing them
i08-error-of-megabytes    failed  failed  raises with four megabytes in the message
i09-links                 failed  any     puts links and a tracking picture into a comment
i10-class-name            failed  failed  names things so that a report reads as passed
k01-kernel-surface        failed  any     tries unshare, mount, bpf, keyctl, io_uring, perf
k02-other-memory          failed  any     reads the memory of other processes
k03-kernel-files          failed  any     writes to files of the kernel
k04-memory-program        failed  any     runs a program out of memory
k05-executable-memory     failed  any     maps memory that can be written and run
k06-numpy-strides         failed  any     reads memory outside of an array
l01-shift                 failed  failed  looks one bar ahead
l02-minmax                failed  failed  normalises by the lowest and highest of all bars
l03-centre                failed  failed  centres its window
l04-resample              failed  failed  knows the close of the week on its first day
l05-only-exits            failed  failed  looks ahead in exits only
l06-last-row              failed  failed  compares with the newest row of the table
l07-back-fill             failed  failed  fills from the back
l08-kept-future           failed  failed  keeps the future in an array of its own
l09-fit                   failed  failed  fits a line through all bars
l10-rank                  failed  failed  ranks each bar among all bars
l11-reversed              failed  failed  takes the highest price still to come
l12-rarely                failed  failed  looks ahead on one bar in 37 only
l13-writes-bars           failed  any     changes the bars that are still to come
l14-merge-forward         failed  failed  joins each bar with the next week
l15-stop-from-future      failed  failed  puts the stop below the lowest price of the next bars
l16-when-not-asked        failed  failed  looks ahead in a backtest only, not when it is questioned
l17-exits-when-not-asked  failed  failed  leaves by the future in a backtest only
l18-with-an-account       failed  failed  looks ahead where the account is told
l19-first-of-its-class    failed  failed  looks ahead in the first strategy that is made
l20-dormant-price         failed  failed  looks ahead once the price is above 5,000
l21-dormant-volume        failed  any     looks ahead once the volume is enormous
n01-tcp                   failed  any     connects to loopback, the host and a public address
n02-dns                   failed  any     sends a secret as a host name
n03-udp                   failed  any     sends a datagram to every neighbour
n04-engine-socket         failed  any     asks the container engine for a new container
n05-pandas-address        failed  any     reads bars from an address
n06-listens               failed  any     waits for somebody to call
n07-numpy-source          failed  any     opens an address through numpy
p01-match-pattern         failed  any     reaches a frame through a match pattern
p02-generator-frame       failed  any     climbs from a generator to the builtins
p03-traceback             failed  any     climbs from an error to the caller
p04-class-walk            failed  any     walks from a tuple to every class
p05-named-method          failed  any     calls a writer by its name
p06-pickle                failed  any     loads a pickle that runs a command
p07-f2py                  failed  any     compiles a module with numpy.f2py
p08-ctypes-by-numpy       failed  any     loads a library through numpy.ctypeslib
p09-pandas-core           failed  any     reaches the system module through pandas
p10-template-module       failed  any     takes the system module from the template
p11-decorator             failed  any     runs code while a decorator is applied
p12-metaclass             failed  any     runs code while a class is made
p13-class-body            failed  any     runs code in the body of a class
p14-query                 failed  any     runs Python through a query of pandas
p15-pandas-eval           failed  any     runs text through pd.eval
p16-shadowed-builtin      failed  any     hides a builtin behind a name that never holds
p17-attrgetter            failed  any     names attributes with operator
p18-type-with-three       failed  any     makes a class at run time
p19-weakref               failed  any     runs code when an object is collected
p20-type-hints            failed  any     runs text through typing
p21-made-dataclass        failed  any     runs code in the name of a field
p22-module-alias          failed  any     passes numpy on under another name
p23-star                  failed  any     imports everything from numpy
p24-submodule             failed  any     imports a part of pandas that reads files
p25-method-on-a-table     failed  any     calls its own method with a table as self
p26-swallows-all          failed  any     hides every error of its own
p27-global                failed  failed  keeps state in a global
p28-private               failed  any     uses the private manager of a table
p29-string-accessor       failed  failed  matches texts with a pattern of its own
p30-loader                failed  any     uses the loader of its own module
p31-eval-by-name          failed  any     runs any Python through a method named in capitals
p32-writer-by-name        failed  any     writes a file through a method named in capitals
r01-forkbomb              failed  any     starts up to 200 children that sleep
r02-shared-memory         failed  any     fills shared memory and /tmp up to 128 MB
r03-flood                 failed  any     prints 256 MB
r04-endless-end           failed  any     loops for ever when the process ends
r05-burns-in-c            failed  failed  computes in C where no signal arrives
r06-memory                failed  failed  takes up to 1.5 GB while it prepares
r07-huge-answer           any     any     answers with 4,000 indicators
r08-huge-comment          failed  failed  writes four megabytes into a comment
r09-deep-recursion        failed  failed  calls itself for ever
r10-slow-expression       failed  failed  matches a pattern that backtracks for ever
r11-bomb-in-del           failed  any     waits in a finaliser until it is collected
r12-sleeps                failed  failed  sleeps for ten minutes
r13-threads               failed  any     starts 100 threads
r14-open-files            failed  any     opens files until it may not
r15-nested-answer         failed  failed  answers with a list that is nested 5,000 deep
r16-slow-bars             failed  failed  needs three seconds for each bar
r17-big-power             failed  failed  raises a number to an absurd power
r18-endless-loop          failed  failed  never comes back from the tenth bar
r19-signals               failed  failed  ignores every signal it may
s01-environ               failed  any     prints the environment of every process in base64
s02-git-token             failed  any     prints the token that a checkout left behind
s03-genfromtxt            failed  any     reads its surroundings with numpy
s04-format-walk           failed  any     walks from an object to the globals with str.format
s05-mounts                failed  any     reads the mounts and the command line with pandas
s06-home                  failed  any     looks for keys in the home folders
s07-memmap                failed  any     maps the password file
s08-zone-file             failed  any     opens a file by naming it as a time zone
s09-options               failed  any     reads the machine's settings through pandas and numpy
t01-assert-true           failed  failed  runs the strategy and asserts True
t02-no-tests              failed  failed  has no test at all
t03-skip                  failed  failed  skips its test
t04-xfail                 failed  failed  expects its test to fail
t05-swallowed             failed  failed  swallows its own assertion
t06-another               failed  failed  tests something else
t07-patched               failed  failed  tests a strategy that it changed first
t08-hook                  failed  failed  makes every test pass with a hook
t09-early-return          failed  failed  returns before it asserts
t10-toothless             failed  failed  asserts what a strategy that never trades does too
t11-writes-conftest       failed  failed  writes a conftest.py while it is collected
t12-ends-pytest           failed  failed  ends the process with code 0 before it can fail
t13-no-cases              failed  failed  has a parametrised test without cases
t14-yields                failed  failed  is a generator, which pytest does not run
t15-red                   failed  failed  has a test that fails
t16-reads-the-strategy    failed  failed  tests the strategy's text instead of what it does
t17-names-of-methods      failed  failed  tells broken copies by the names of their methods
t18-length-of-the-source  failed  any     counts the lines of the strategy
x01-os-exit               failed  failed  ends the process with code 0 when it is loaded
x02-system-exit           failed  failed  leaves with code 0 in the middle of the bars
x03-interrupt             failed  failed  raises an interrupt in an exit
x04-crash                 failed  failed  crashes the interpreter
x05-kills-its-parent      failed  any     kills the first process and its parent
x06-closes-the-pipe       failed  failed  closes every open file
x07-foreign-position      failed  failed  closes positions that it does not hold
x08-exit-of-wrong-shape   failed  failed  answers an exit with a list
x09-other-program         failed  failed  replaces itself by another program
x10-rarely-raises         failed  failed  raises on one bar in a hundred
x11-stop-iteration        failed  failed  lets a StopIteration out of every exit
"""
"""Id, expected, expected without the intake, what it tries."""


def _case(row: str) -> Case:
    name, expected, bare, tries = row.split(None, 3)
    return Case(name, tries, _verdict(expected), _verdict(bare))


def _verdict(word: str) -> Verdict:
    match word:
        case "passed" | "failed" | "refused" | "any":
            return word
    raise ValueError(f"no such verdict: {word}")


CORPUS = tuple(_case(row) for row in ROWS.strip().splitlines())
