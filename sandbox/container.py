"""One container of the Docker engine, and the socket that carries its three streams."""

from __future__ import annotations

import contextlib
import math
import os
import socket
import struct
from pathlib import Path

import docker
import docker.utils
from docker.errors import APIError, DockerException, NotFound

from sandbox.files import tear_down
from sandbox.job import CannotRun
from sandbox.pipes import CHUNK

RUN, OWNER, OUT = "stratbot.sandbox", "stratbot.owner", "stratbot.out"  # labels
HEADER = struct.Struct(">BxxxL")  # which stream, how many bytes follow


def connect(seconds: int = 60) -> docker.APIClient:
    """A client per container: a connection that became a pipe is not shared between threads."""
    try:
        return docker.APIClient(timeout=seconds, **docker.utils.kwargs_from_env())
    except DockerException as error:
        raise CannotRun(
            f"no Docker engine answers ({error}); start one, for example with "
            "`sudo systemctl start docker`, or choose the process backend"
        ) from None


class ContainerWire:
    """Attached before the start, so that nothing it says is missed."""

    def __init__(self, client: docker.APIClient, name: str) -> None:
        everything = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        attached = client.attach_socket(name, params=everything)
        self._socket = socket.socket(fileno=os.dup(attached.fileno()))
        attached.close()
        self._socket.setblocking(False)
        self._open = True
        self._header = b""
        self._kind = self._left = 0

    def readable(self) -> list[int]:
        return [self._socket.fileno()] if self._open else []

    def writable(self) -> int:
        return self._socket.fileno()

    def read(self, descriptor: int) -> list[tuple[int, bytes]]:
        try:
            octets = self._socket.recv(CHUNK)
        except BlockingIOError:
            return []
        except OSError:
            octets = b""
        if not octets:
            self._open = False
        return self._parts(octets)

    def write(self, octets: memoryview) -> int:
        if not self._open:
            raise BrokenPipeError
        try:
            return self._socket.send(octets, socket.MSG_NOSIGNAL)
        except BlockingIOError:
            return 0

    def end_input(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Shut, not only closed: the client library holds another descriptor of this socket."""
        self._open = False
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _parts(self, octets: bytes) -> list[tuple[int, bytes]]:
        """Frames may be cut anywhere, also inside a header."""
        parts, at = [], 0
        while at < len(octets):
            if not self._left:
                need = HEADER.size - len(self._header)
                self._header += octets[at : at + need]
                at += need
                if len(self._header) == HEADER.size:
                    self._kind, self._left = HEADER.unpack(self._header)
                    self._header = b""
                continue
            part = octets[at : at + self._left]
            at += len(part)
            self._left -= len(part)
            parts.append((self._kind, part))
        return parts


class Container:
    def __init__(self, client: docker.APIClient, name: str, base: Path) -> None:
        self.name = name
        self._client = client
        self._base = base

    def signal(self, name: str) -> bool:
        try:
            self._client.kill(self.name, name)
        except NotFound:
            return False
        except APIError as error:
            if error.status_code == 409:  # not running
                return False
            raise
        return True

    def exit_code(self, seconds: float) -> int | None:
        try:
            if seconds <= 0:
                state = self._client.inspect_container(self.name)["State"]
                return None if state["Running"] else int(state["ExitCode"])
            answer = self._client.wait(self.name, timeout=math.ceil(seconds))
        except NotFound:
            return 137  # somebody removed it: no way to end by itself
        except (OSError, DockerException):
            return None
        return int(answer["StatusCode"])

    def out_of_memory(self) -> bool:
        try:
            return bool(self._client.inspect_container(self.name)["State"]["OOMKilled"])
        except NotFound:
            return False

    def remove(self) -> None:
        """Its folder goes whatever the engine says; 409: another thread is removing it."""
        try:
            self._client.remove_container(self.name, force=True, v=True)
        except APIError as error:
            if error.status_code not in (404, 409):
                raise
        finally:
            tear_down(self._base)
            self._client.close()
