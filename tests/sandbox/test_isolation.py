"""What code in a container cannot do, asked of a real container."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.container import connect
from sandbox.engine import CannotRun, DockerEngine, Job
from sandbox.held import Held
from sandbox.limits import Limits
from tests.sandbox.jobs import python

ROOT = Path(__file__).parent.parent.parent
# Each is tried inside; it must raise, and the words must be in what it says.
FORBIDDEN = {
    "reach a network": ("import socket; socket.create_connection(('1.1.1.1', 53), 2)", "Network"),
    "find a name": ("import socket; socket.getaddrinfo('example.org', 80)", "gaierror"),
    "write to the root": ("open('/x', 'w')", "Read-only"),
    "write to its home": ("open('/work/x', 'w')", "Read-only"),
    "write to our files": ("open('/opt/stratbot/sandbox/x', 'w')", "Read-only"),
    "write to shared memory": ("open('/dev/shm/x', 'w')", "No such file"),
    "become root": ("import os; os.setuid(0)", "not permitted"),
    "mount": (
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.mount(b't', b'/tmp', b'tmpfs', 0, 0): raise OSError(ctypes.get_errno(), 'x')",
        "Error",
    ),
    "see our processes": ("import os; assert not os.path.exists('/proc/200')\nopen('/host')", "No"),
    "fill /tmp": ("open('/tmp/x', 'wb').write(bytes(20 << 20))", "File too large"),
    "fill /tmp with several": (
        "for n in range(4): open(f'/tmp/{n}', 'wb').write(bytes(6 << 20))",
        "No space left",
    ),
    "use up inodes": ("for n in range(2000): open(f'/tmp/{n}', 'w')", "No space left"),
    "execute from /tmp": (
        "import os, shutil; shutil.copy('/bin/true', '/tmp/t'); os.chmod('/tmp/t', 0o755)\n"
        "os.execv('/tmp/t', ['t'])",
        "Permission denied",
    ),
    "open many files": ("k = [open('/dev/null') for _ in range(1000)]", "Too many open files"),
    "start many processes": (
        "import os, time\nfor n in range(200):\n    if not os.fork(): time.sleep(60); os._exit(0)",
        "Resource temporarily unavailable",
    ),
}


@pytest.fixture(scope="module")
def tried(sandbox_image: str) -> dict[str, str]:
    """All attempts, in containers that run side by side."""
    engine = DockerEngine(sandbox_image)
    with ThreadPoolExecutor(4) as pool:
        jobs = [python(code) for code, _ in FORBIDDEN.values()]
        ends = pool.map(engine.run, jobs)
        return {what: end.stderr.decode() for what, end in zip(FORBIDDEN, ends, strict=True)}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_it_cannot(tried: dict[str, str], what: str) -> None:
    assert tried[what].startswith("Traceback")
    assert FORBIDDEN[what][1] in tried[what]


def test_it_is_nobody_with_no_rights(docker_engine: DockerEngine) -> None:
    code = "import os; print(os.getuid(), os.getgid()); print(open('/proc/self/status').read())"
    said = docker_engine.run(python(code)).stdout.decode()
    assert said.startswith("10001 10001\n")
    assert "CapEff:\t0000000000000000" in said and "CapBnd:\t0000000000000000" in said
    assert "NoNewPrivs:\t1" in said


def test_the_flags_are_those_of_the_design(docker_engine: DockerEngine) -> None:
    with docker_engine.start(python("input()")) as running:
        host = inspected(running)["HostConfig"]
    assert isinstance(host, dict)
    assert (host["NetworkMode"], host["IpcMode"]) == ("none", "none")
    assert host["Memory"] == host["MemorySwap"] == 1 << 30
    assert (host["NanoCpus"], host["PidsLimit"]) == (500_000_000, 64)
    assert host["ReadonlyRootfs"] and host["Init"] and not host["Privileged"]
    assert host["CapDrop"] == ["ALL"] and host["SecurityOpt"] == ["no-new-privileges"]
    assert host["LogConfig"]["Type"] == "none"
    assert {u["Name"]: u["Hard"] for u in host["Ulimits"]} == {
        "nofile": 256,
        "core": 0,
        "fsize": 16 << 20,
    }


def test_its_limits_can_be_set_and_its_network_cannot(sandbox_image: str) -> None:
    engine = DockerEngine(sandbox_image, Limits(cpus=1.5, memory=256 << 20, pids=16))
    with engine.start(python("input()")) as running:
        host = inspected(running)["HostConfig"]
    assert isinstance(host, dict) and host["NetworkMode"] == "none"
    assert host["Memory"] == host["MemorySwap"] == 256 << 20
    assert (host["NanoCpus"], host["PidsLimit"]) == (1_500_000_000, 16)


@pytest.mark.parametrize("program", ["sandbox/run_in_sandbox.py", "sandbox/work.py"])
def test_no_flag_is_about_the_network(program: str) -> None:
    done = subprocess.run([sys.executable, program, "--help"], cwd=ROOT, capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    assert "--memory" in done.stdout and "--pids" in done.stdout
    assert "network" not in done.stdout.lower()


def inspected(running: Held) -> dict[str, object]:
    with contextlib.closing(connect()) as client:
        found: dict[str, object] = client.inspect_container(running.body.name)
        return found


def test_a_fork_bomb_stays_in_its_container_and_ends_in_time(docker_engine: DockerEngine) -> None:
    code = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    ended = docker_engine.run(python(code, seconds=2.0))
    assert ended.reason == "timed_out"


@pytest.mark.parametrize(
    "code", ["x = bytearray(2 << 30)", "x = []\nwhile 1: x.append([0] * 9999)"]
)
def test_a_memory_hog_is_out_of_memory(docker_engine: DockerEngine, code: str) -> None:
    ended = docker_engine.run(python(code))
    assert (ended.reason, ended.exit_code) == ("out_of_memory", None)


def test_a_process_that_kills_itself_was_not_out_of_memory(docker_engine: DockerEngine) -> None:
    ended = docker_engine.run(python("import os; os.kill(os.getpid(), 9)"))
    assert (ended.reason, ended.exit_code) == ("exited", 137)


@pytest.mark.parametrize("shift", [86_400 * 400, -86_400 * 400])
def test_the_clock_can_be_another(docker_engine: DockerEngine, shift: int) -> None:
    code = "import datetime, time; print(time.time(), datetime.datetime.now().timestamp())"
    before = time.time()
    ended = docker_engine.run(replace(python(code), clock_shift=shift))
    after = time.time()
    for told in ended.stdout.split():
        assert before - 1 <= float(told) - shift <= after + 1
    assert ended.stderr == b""


def test_surroundings_can_be_varied(docker_engine: DockerEngine) -> None:
    code = (
        "import os, socket, time; print(hash('x'), socket.gethostname(), os.getcwd(), time.tzname)"
    )
    one = Job(
        "one",
        ("python", "-P", "-s", "-c", code),
        hostname="other",
        workdir="/opt",
        env={"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"},
    )
    seen = docker_engine.run(one).stdout.decode()
    assert seen.endswith(" other /opt ('JST', 'JST')\n")
    other = docker_engine.run(replace(one, env={"PYTHONHASHSEED": "2"})).stdout.decode()
    assert seen.split()[0] != other.split()[0]


def test_twenty_at_once(docker_engine: DockerEngine) -> None:
    def ask(n: int) -> bytes:
        with docker_engine.start(python("print(input())")) as running:
            running.send(b"%d" % n)
            return running.receive(60)

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(ask, range(20))) == [b"%d" % n for n in range(20)]


def test_no_mount_is_left(docker_engine: DockerEngine) -> None:
    with docker_engine.start(python("input()")) as running:
        layers = inspected(running)["GraphDriver"]
        assert isinstance(layers, dict)
        merged = str(layers["Data"]["MergedDir"])
    assert merged not in Path("/proc/self/mounts").read_text()
    assert not Path(merged).exists()


def test_a_missing_image_is_said_clearly(sandbox_image: str) -> None:
    with pytest.raises(CannotRun, match="make sandbox-image"):
        DockerEngine("stratbot-sandbox:missing").run(python(""))


def test_a_program_that_is_not_there_is_said_clearly(docker_engine: DockerEngine) -> None:
    assert b"nothing" in docker_engine.run(Job("test", ("nothing",))).stderr


@pytest.mark.parametrize(
    ("job", "told"),
    [
        pytest.param(replace(python(""), workdir="/etc/passwd"), "no container", id="created"),
        pytest.param(replace(python(""), hostname="h" * 100), "did not start", id="started"),
    ],
)
def test_a_container_that_cannot_be(docker_engine: DockerEngine, job: Job, told: str) -> None:
    with pytest.raises(CannotRun, match=told):
        docker_engine.run(job)
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer)]


def test_without_an_engine_it_says_what_to_do() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "sandbox.image"],
        env={"DOCKER_HOST": "unix:///nowhere.sock", "HOME": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert asked.returncode == 1
    assert "no Docker engine answers" in asked.stderr
    assert "Traceback" not in asked.stderr
