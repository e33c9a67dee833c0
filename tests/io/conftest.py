"""A desk per test: its own server on its own port."""

import threading
from collections.abc import Iterator

import pytest

from tests.io.desk import Desk
from tests.io.github_server import Server


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield Desk(server)
        server.shutdown()
