"""The lock is a list of what is allowed; any other system call is refused or ends the process."""

from __future__ import annotations

import json
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.syscalls import ALLOWED, ARCH, KILLED

ROOT = Path(__file__).parent.parent.parent
BY_THE_KERNEL = {335, 336}
"""x86_64: probes of the kernel itself, which pass every filter, and end whoever else calls them."""
MOST = 460
"""No machine that we run on has a higher number yet."""
TRIES = """
import ctypes, errno, json, os, sys
from sandbox import syscalls
libc = ctypes.CDLL(None, use_errno=True)
numbers, wrong = json.loads(sys.argv[1]), {}

def ended(number):
    child = os.fork()
    if not child:
        syscalls.lock()
        libc.syscall(number, -1, -1, -1, -1, -1, -1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

wrong["killed"] = [[n, code] for n in numbers["killed"] if (code := ended(n)) != numbers["by"]]
syscalls.lock()
wrong["denied"] = []
for n in numbers["denied"]:
    ctypes.set_errno(0)
    said = libc.syscall(n, -1, -1, -1, -1, -1, -1)
    if (said, ctypes.get_errno()) != (-1, errno.EACCES):
        wrong["denied"].append([n, said, ctypes.get_errno()])
        break  # what is let through may wait for ever
kept = bytearray(50_000_000)
del kept
print(json.dumps(wrong))
"""
DANGEROUS = {"socket", "connect", "clone", "clone3", "fork", "execve", "kill", "ptrace", "unshare",
             "mount", "bpf", "memfd_create", "io_uring_setup", "process_vm_readv",
             "prlimit64"}  # fmt: skip


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ARCH, reason="no list for this machine"
)
def test_what_is_not_on_the_list_is_refused_by_the_kernel() -> None:
    column = list(ARCH).index(platform.machine())
    allowed, killed = ({row[column] for row in table.values() if row[column] >= 0}
                       for table in (ALLOWED, KILLED))  # fmt: skip
    rest = sorted(set(range(MOST)) - allowed - killed - BY_THE_KERNEL)
    asked = {"killed": sorted(killed), "denied": rest, "by": -signal.SIGSYS}
    done = subprocess.run(
        [sys.executable, "-c", TRIES, json.dumps(asked)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"killed": [], "denied": []}


def test_no_file_process_or_network_is_on_the_list() -> None:
    assert set(KILLED) >= DANGEROUS and not set(KILLED) & set(ALLOWED)
    assert not {name for name in ALLOWED if "open" in name or "stat" in name} - {"fstat"}
