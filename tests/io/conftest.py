"""A desk per test: its own server on its own port."""

import threading
from collections.abc import Iterator

import pytest

from tests.io.desk import Desk
from tests.io.github_server import Server
from tests.io.model_desk import ModelDesk
from tests.io.model_server import ModelServer


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield Desk(server)
        server.shutdown()


@pytest.fixture
def model() -> Iterator[ModelDesk]:
    with ModelServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield ModelDesk(server)
        server.shutdown()
