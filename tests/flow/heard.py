"""What the bot's own processes asked GitHub, and heard: they write it down, a test checks it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import requests

WRAPPER = """#!/bin/bash
case " $* " in
  *" -m bot handle "* | *" -m bot finish "*) export PYTHONPATH={folder} ;;
esac
exec {python} "$@"
"""
RECORDER = """
import json, os, requests

send = requests.Session.send

def told(self, request, **more):
    got = send(self, request, **more)
    body = request.body.decode() if isinstance(request.body, bytes) else request.body
    row = [request.method, request.url, body, got.status_code, dict(got.headers), got.text]
    with open(f"{folder}/{os.getpid()}.heard", "a") as file:
        file.write(json.dumps(row) + "\\n")
    return got

requests.Session.send = told
"""


def python(folder: Path) -> Path:
    """An environment whose `python` lets the bot write down what it says on the wire."""
    (folder / "bin").mkdir(parents=True)
    script = folder / "bin" / "python"
    script.write_text(WRAPPER.format(python=sys.executable, folder=folder))
    script.chmod(0o755)
    (folder / "sitecustomize.py").write_text(RECORDER.replace("{folder}", str(folder)))
    return folder


def exchanges(folder: Path) -> Iterator[tuple[requests.PreparedRequest, requests.Response]]:
    for file in sorted(folder.glob("*.heard")):
        for row in file.read_text().splitlines():
            method, url, body, status, headers, text = json.loads(row)
            got = requests.Response()
            got.status_code, got._content = status, text.encode()
            got.headers.update(headers)
            yield requests.Request(method, url, data=body).prepare(), got
