"""What the worker forbids itself before it loads a strategy: a seccomp filter, by plain prctl."""

import ctypes
import platform
import struct
import sys

KILL, DENY, ALLOW = 0x80000000, 0x00050000 | 13, 0x7FFF0000  # 13: EACCES
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000

# name: (x86_64, aarch64); -1 where the machine has no such call.
KILLED = {
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "accept": (43, 202), "sendto": (44, 206), "clone": (56, 220),
    "clone3": (435, 435), "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221),
    "execveat": (322, 281), "kill": (62, 129), "tkill": (200, 130), "ptrace": (101, 117),
    "unshare": (272, 97), "setns": (308, 268), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "memfd_create": (319, 279), "bpf": (321, 280),
    "userfaultfd": (323, 282), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "personality": (135, 92), "setrlimit": (160, 164),
    "prlimit64": (302, 261),
}  # fmt: skip
ALLOWED = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62),
    "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "brk": (12, 214), "madvise": (28, 233), "futex": (202, 98), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "sigaltstack": (131, 132), "restart_syscall": (219, 128),
    "clock_gettime": (228, 113), "gettimeofday": (96, 169), "time": (201, -1),
    "getrandom": (318, 278), "getpid": (39, 172), "gettid": (186, 178), "exit": (60, 93),
    "exit_group": (231, 94),
}  # fmt: skip
"""All that a strategy may ask of the kernel: its pipe, memory, signals of its own, the time.

Measured with strace from the lock on, for each example and each harmless case of `tests/hostile`:
read, write, mmap, close and rt_sigaction were called, nothing else. The rest of the list is memory
that is grown and given back, locks of the allocator, and what the C library calls where the time
does not come from the vDSO. Whatever is not named here, such as a file or a new descriptor, is
answered with "permission denied", as an honest mistake deserves; what only an attack would call
ends the process.
"""


def lock() -> None:
    """From here on only what is listed works: no file, process or network. It cannot be undone."""
    if sys.platform != "linux" or platform.machine() not in ARCH:
        raise OSError(f"no list of system calls for {sys.platform} on {platform.machine()}")
    column = list(ARCH).index(platform.machine())
    program = _program(ARCH[platform.machine()], column)
    held = ctypes.create_string_buffer(program, len(program))
    rules = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ((38, 1, 0, 0, 0), (22, 2, ctypes.c_char_p(rules), 0, 0)):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), "the system calls could not be locked")


def _program(arch: int, column: int) -> bytes:
    load, equal, above, answer = 0x20, 0x15, 0x35, 0x06
    rows = [
        (load, 0, 0, 4), (equal, 1, 0, arch), (answer, 0, 0, KILL),
        (load, 0, 0, 0), (above, 0, 1, X32), (answer, 0, 0, KILL),
    ]  # fmt: skip
    for table, verdict in ((ALLOWED, ALLOW), (KILLED, KILL)):
        for numbers in table.values():
            if numbers[column] >= 0:
                rows += [(equal, 0, 1, numbers[column]), (answer, 0, 0, verdict)]
    rows.append((answer, 0, 0, DENY))
    return b"".join(struct.pack("HBBI", *row) for row in rows)
