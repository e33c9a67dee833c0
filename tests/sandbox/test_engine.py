"""What holds for a job in a container and for one in a plain process."""

import threading
import tracemalloc
from dataclasses import replace

import pytest

from sandbox.engine import Ended, Engine, Job, Lost, ProcessEngine, Running
from sandbox.job import KEPT
from tests.sandbox.jobs import python, why

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
FLOOD = "import sys\nprint('up', flush=True)\nwhile True: sys.{}.write('x' * 100_000)"
DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('up', flush=True)
while True: time.sleep(60)
"""
POLITE = """
import os, signal, sys, time
def leave(*_): os.write(1, b'bye'); sys.exit(0)  # it may be inside `print` when it is told
signal.signal(signal.SIGTERM, leave)
print('up', flush=True)
while True: time.sleep(60)
"""


def up(running: Running) -> None:
    assert running.receive(20) == b"up"


def test_a_job_ends_by_itself(engine: Engine) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    ended = engine.run(python(code))
    assert (ended.reason, ended.exit_code) == ("exited", 3)
    assert (ended.stdout, ended.stderr) == (b"out\n", b"err\n")


def test_it_sees_its_files(engine: Engine) -> None:
    code = "import sys; print(open(sys.argv[1]).read(), open('d').read())"
    job = Job(
        "test",
        ("python", "-c", code, "/work/a/b/c.txt"),
        files={"a/b/c.txt": b"deep", "d": b"flat"},
    )
    assert engine.run(job).stdout == b"deep flat\n"


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "", "a\0b"])
def test_a_file_outside_its_folder_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        ProcessEngine().run(replace(python(""), files={name: b""}))


def test_more_input_than_a_pipe_holds_goes_through(engine: Engine) -> None:
    code = (
        "import sys; octets = sys.stdin.buffer.read(); print(len(octets)); print('x' * 3_000_000)"
    )
    ended = engine.run(python(code), stdin=b"x" * 3_000_000)
    assert ended.stdout.startswith(b"3000000\n")
    assert len(ended.stdout) == KEPT


def test_input_that_nobody_reads_is_no_error(engine: Engine) -> None:
    assert engine.run(python("print('done')"), stdin=b"x" * 3_000_000).stdout == b"done\n"


def test_questions_and_answers(engine: Engine) -> None:
    with engine.start(python(ECHO)) as running:
        for n in range(500):
            running.send(b"%d" % n)
            assert running.receive(10) == b"%d" % n
        running.send(b"x" * 1_000_000)
        assert running.receive(10) == b"x" * 1_000_000
        running.send(b"last")
        ended = running.wait()
    assert (ended.reason, ended.exit_code, ended.stdout) == ("exited", 0, b"last\n")


def test_an_answer_that_is_late_long_or_never_comes(engine: Engine) -> None:
    code = f"import sys\nprint('x' * 5000, flush=True)\n{ECHO}"
    with engine.start(replace(python(code), longest_line=4000)) as running:
        assert why(running, 20) == "too_long"
    with engine.start(python(ECHO)) as running:
        assert why(running, 0.01) == "late"
        running.kill()
        assert why(running, 10) == "ended"
        with pytest.raises(Lost):
            running.send(b"anybody?")
    with engine.start(python("")) as running:
        assert why(running, 20) == "ended"


def test_a_pipe_that_stays_full_is_given_up(engine: Engine) -> None:
    job = python("import time\nwhile True: time.sleep(60)", seconds=1.5)
    with engine.start(job) as running, pytest.raises(Lost):
        running.send(b"x" * 5_000_000)


def test_one_that_talks_while_we_talk_does_not_lock_us(engine: Engine) -> None:
    code = "import sys\nprint('x' * 1_000_000, flush=True)\nprint(len(sys.stdin.readline()))"
    with engine.start(python(code)) as running:
        running.send(b"y" * 1_000_000)
        assert running.receive(10) == b"x" * 1_000_000
        assert running.receive(10) == b"1000001"


def test_a_flood_does_not_fill_our_memory(engine: Engine) -> None:
    tracemalloc.start()
    try:
        engine.run(python(FLOOD.format("stdout"), seconds=1.5))
        engine.run(python(FLOOD.format("stderr"), seconds=1.5))
        assert tracemalloc.get_traced_memory()[1] < 10 * KEPT
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("while True: pass", id="busy"),
        pytest.param("import os\nos.close(1); os.close(2)\nwhile True: pass", id="mute"),
        pytest.param(FLOOD.format("stdout"), id="floods stdout"),
        pytest.param(FLOOD.format("stderr"), id="floods stderr"),
    ],
)
def test_one_that_never_ends_is_timed_out(engine: Engine, code: str) -> None:
    ended = engine.run(python(code, seconds=1.0))
    assert (ended.reason, ended.exit_code) == ("timed_out", None)
    assert ended.seconds >= 1.0
    assert len(ended.stdout) <= KEPT and len(ended.stderr) <= KEPT


def test_the_limit_holds_also_when_nobody_waits(engine: Engine) -> None:
    with engine.start(python(FLOOD.format("stdout"), seconds=1.0)) as running:
        watchdog = next(t for t in threading.enumerate() if isinstance(t, threading.Timer))
        watchdog.join(10)
        assert not watchdog.is_alive()
        assert running.stop().reason == "timed_out"


def test_stop_gives_time_to_leave(engine: Engine) -> None:
    with engine.start(python(POLITE)) as running:
        up(running)
        ended = running.stop(grace=10)
    assert (ended.reason, ended.exit_code, ended.stdout) == ("cancelled", None, b"bye")


@pytest.mark.parametrize("code", [DEAF, FLOOD.format("stdout")], ids=["deaf", "flood"])
def test_stop_ends_one_that_does_not_want_to(engine: Engine, code: str) -> None:
    with engine.start(python(code)) as running:
        up(running)
        assert running.stop(grace=0.3).reason == "cancelled"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_kill_is_heard_while_nobody_reads_the_flood(engine: Engine, stream: str) -> None:
    code = f"import sys\nfor _ in range(50): sys.{stream}.write('x' * 100_000)\n"
    with engine.start(python(code + FLOOD.format(stream))) as running:
        assert running.kill().reason == "killed", "and not: timed out, because nobody heard it"


def test_what_ended_by_itself_was_not_killed(engine: Engine) -> None:
    with engine.start(python("print('up')")) as running:
        first = running.wait()
        assert [running.stop(), running.kill(), running.wait()] == [first] * 3
    assert first.reason == "exited"


def test_a_kill_from_another_thread_wakes_who_listens(engine: Engine) -> None:
    with engine.start(python(DEAF)) as running:
        up(running)
        ends: list[Ended] = []
        killer = threading.Thread(target=lambda: ends.append(running.kill()))
        killer.start()
        assert why(running, 20) == "ended"
        killer.join()
        assert ends[0] == running.wait()
        assert ends[0].reason == "killed"


def test_close_twice(engine: Engine) -> None:
    running = engine.start(python(DEAF))
    running.close()
    running.close()
    assert running.wait().reason == "killed"


def test_nothing_of_our_environment_but_what_the_job_says(engine: Engine) -> None:
    code = "import os; print(sorted(os.environ)); print(hash('x'))"
    job = replace(python(code), env={"PYTHONHASHSEED": "7", "STRATBOT_X": "1"})
    ended = engine.run(job)
    assert ended == Ended(0, ended.stdout, b"", ended.seconds, "exited")
    assert b"STRATBOT_X" in ended.stdout
    assert b"PYTEST" not in ended.stdout  # pytest sets such a variable for each test
    assert ended.stdout.splitlines()[1] == engine.run(job).stdout.splitlines()[1]
