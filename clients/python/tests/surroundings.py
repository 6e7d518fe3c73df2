"""What the tests need around a client: the server, a line to it that can be cut, and servers that always say the same."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import ssl
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

for logger in ("holdfast", "asyncio"):
    logging.getLogger(logger).addHandler(logging.NullHandler())  # lines are cut here on purpose

SERVER = os.environ.get("HOLDFAST_SERVER", "")
TOKEN = os.environ.get("HOLDFAST_TOKEN")

needs_server = unittest.skipUnless(SERVER, "HOLDFAST_SERVER does not name a server to test with")


def call(path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    """A call to the server, not through a client."""
    request = urllib.request.Request(SERVER + path, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if TOKEN:
        request.add_header("Authorization", f"Bearer {TOKEN}")
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return dict(json.load(reply))
    except urllib.error.HTTPError as e:
        raise AssertionError(f"{path}: {e.code} {e.read().decode()}") from None


def look(namespace: str, name: str) -> Dict[str, Any]:
    return call("/v2/lock?" + urllib.parse.urlencode({"namespace": namespace, "name": name}))


def force(namespace: str, name: str, token: int) -> None:
    call("/v2/locks/force-unlock", {"namespace": namespace, "name": name, "fencing_token": token, "reason": "a test"})


def dead() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


class Line:
    """A TCP proxy to the server: open, cut, silent, or deaf. Counts the requests that are sent over it."""

    def __init__(self, tls: Optional[ssl.SSLContext] = None) -> None:
        self._tls = tls
        self._state = "open"
        self._writers: Set[asyncio.StreamWriter] = set()
        self.sent = bytearray()

    async def open(self) -> Line:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        return self

    @property
    def url(self) -> str:
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def requests(self, path: str) -> int:
        return self.sent.count(f"POST {path} HTTP/1.1".encode())

    def change(self, state: str) -> None:
        assert state in ("open", "cut", "silent", "deaf"), state
        self._state = state
        if state in ("open", "cut"):
            self._hang_up()

    def _hang_up(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._state == "cut":
            writer.transport.abort()
            return
        target = urllib.parse.urlsplit(SERVER)
        there_reader, there_writer = await asyncio.open_connection(target.hostname, target.port)
        both = {writer, there_writer}
        self._writers |= both
        try:
            await asyncio.gather(
                self._pass(reader, there_writer, ("open", "deaf"), self.sent), self._pass(there_reader, writer, ("open",), bytearray())
            )
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            self._writers -= both

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, states: Tuple[str, ...], seen: bytearray) -> None:
        try:
            while True:
                data = await reader.read(65536)
                if not data:
                    break
                if self._state in states:
                    seen += data
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        writer.close()

    def close(self) -> None:
        self._server.close()
        self._hang_up()


class Stub:
    """A server that gives every request the same answer."""

    def __init__(self, status: int, type: str, body: str, headers: Optional[Dict[str, str]] = None) -> None:
        content = body.encode()
        all_headers = {"Content-Type": type, "Content-Length": len(content), "Connection": "close", **(headers or {})}
        lines = [f"HTTP/1.1 {status} Stub", *(f"{name}: {value}" for name, value in all_headers.items()), "", ""]
        self._answer = "\r\n".join(lines).encode() + content
        self.requests: List[bytes] = []

    async def open(self) -> Stub:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            self.requests.append(head + await reader.readexactly(length))
            writer.write(self._answer)
            await writer.drain()
        except (OSError, EOFError):
            pass
        writer.close()

    def close(self) -> None:
        self._server.close()
