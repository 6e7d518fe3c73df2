"""HTTP/1.1 over asyncio, as much of it as a lock server needs. Connections are kept for the next request."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from .errors import InvalidRequestError, StoreUnusableError

MAX_BODY = 16 * 1024 * 1024  # a renewal of 4 000 leases is answered with one megabyte
MAX_LINE = 64 * 1024
MAX_HEADERS = 100
MAX_IDLE = 8  # connections to one server that wait for a next request
IDLE_SECONDS = 30.0  # a server closes those that are idle for 75 s


@dataclass(frozen=True)
class Address:
    """Where a server is."""

    url: str
    host: str
    port: int
    tls: bool
    prefix: str
    authority: str

    @classmethod
    def of(cls, url: str) -> Address:
        example = "; write for example https://locks.example.com"
        shown = url.split("?", 1)[0].rpartition("@")[2]  # what is before an @ may be a secret
        try:
            parts = urlsplit(url.strip())
            port = parts.port
        except ValueError as e:
            raise InvalidRequestError(f"'{shown}' is not the address of a server: {e}{example}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname or any(c <= " " for c in url.strip()):
            raise InvalidRequestError(f"'{shown}' is not the address of a server{example}")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise InvalidRequestError(f"'{shown}' has more than an address; give the token with token or token_file")
        tls = parts.scheme == "https"
        return cls(
            url=f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}",
            host=parts.hostname,
            port=port or (443 if tls else 80),
            tls=tls,
            prefix=parts.path.rstrip("/"),
            authority=parts.netloc,
        )


class Trust:
    """Whom to trust, and who we are. Files that have changed are read again for the next connection."""

    def __init__(self, ca_file: Optional[str], cert: Optional[str], key: Optional[str], given: Optional[ssl.SSLContext]) -> None:
        if key and not cert:
            raise InvalidRequestError("client_key needs client_cert")
        self._files = [file for file in (ca_file, cert, key) if file]
        self._ca_file, self._cert, self._key, self._given = ca_file, cert, key, given
        self._made: Optional[Tuple[List[float], ssl.SSLContext]] = None
        if self._files:
            self.context()  # what is wrong with them is said now

    def context(self) -> ssl.SSLContext:
        if self._given is not None:
            return self._given
        try:
            changed = [os.stat(file).st_mtime for file in self._files]
            if self._made is None or self._made[0] != changed:
                context = ssl.create_default_context(cafile=self._ca_file)
                if self._cert:
                    context.load_cert_chain(self._cert, self._key)
                self._made = (changed, context)
        except OSError as e:  # an SSLError, too
            if self._made is None:
                raise InvalidRequestError(f"certificates or key in {', '.join(self._files)} cannot be used: {e}") from e
        assert self._made is not None
        return self._made[1]


class NotAnswered(Exception):
    """No answer came.

    ``sent``: something was sent, so the request may have been carried out. ``unsafe``: one side did not accept the other.
    """

    def __init__(self, why: str, sent: bool, unsafe: bool = False) -> None:
        super().__init__(why)
        self.sent = sent
        self.unsafe = unsafe


@dataclass(frozen=True)
class Answer:
    """What came, and the two clocks just before the request was sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    sent_wall: float
    resent: bool


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.idle_since = 0.0

    def close(self) -> None:
        transport = self.writer.transport
        if transport is not None:
            transport.abort()  # nobody is interested in what is still on the way

    def usable(self) -> bool:
        fresh = time.monotonic() - self.idle_since < IDLE_SECONDS
        return fresh and not self.reader.at_eof() and not self.writer.is_closing()


class Http:
    """Sends requests to servers. To be used on one event loop."""

    def __init__(self, trust: Trust) -> None:
        self._trust = trust
        self._idle: Dict[Address, List[_Connection]] = {}

    async def send(self, to: Address, path: str, headers: Mapping[str, str], body: bytes, within: float) -> Answer:
        """The answer; NotAnswered if none comes within so many seconds."""
        progress = _Progress()
        try:
            return await asyncio.wait_for(self._send(to, path, headers, body, progress), within)
        except asyncio.TimeoutError:
            self._drop(to)
            raise NotAnswered(f"{to.url}: no answer in time", progress.sent) from None
        except NotAnswered:
            self._drop(to)
            raise

    def _drop(self, to: Address) -> None:
        """The others to this server are probably no better, and each would cost a try."""
        for connection in self._idle.pop(to, []):
            connection.close()

    async def _send(self, to: Address, path: str, headers: Mapping[str, str], body: bytes, progress: _Progress) -> Answer:
        idle = self._idle.setdefault(to, [])
        while idle:
            kept = idle.pop()
            if not kept.usable():
                kept.close()
                continue
            try:
                return await self._exchange(kept, to, path, headers, body, progress, False)
            except NotAnswered:
                break  # the server may just have closed it, being idle: that says nothing about the server
        return await self._exchange(await self._connect(to), to, path, headers, body, progress, progress.sent)

    async def _connect(self, to: Address) -> _Connection:
        try:
            context = self._trust.context() if to.tls else None
            reader, writer = await asyncio.open_connection(to.host, to.port, ssl=context, limit=MAX_LINE)
        except ssl.SSLError as e:
            raise NotAnswered(f"{to.url}: {e.reason or e}", sent=False, unsafe=True) from e
        except ssl.CertificateError as e:
            raise NotAnswered(f"{to.url}: {e}", sent=False, unsafe=True) from e
        except OSError as e:
            raise NotAnswered(f"{to.url}: {e.strerror or e}", sent=False) from e
        return _Connection(reader, writer)

    async def _exchange(
        self, over: _Connection, to: Address, path: str, headers: Mapping[str, str], body: bytes, progress: _Progress, resent: bool
    ) -> Answer:
        lines = [f"POST {to.prefix}{path} HTTP/1.1", f"Host: {to.authority}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        finished = False
        try:
            sent, sent_wall = time.monotonic(), time.time()
            progress.sent = True
            over.writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
            await over.writer.drain()
            status, told, content, keep = await _read(over.reader)
            finished = keep
            return Answer(status, told, content, sent, sent_wall, resent)
        except (OSError, EOFError) as e:  # an ssl.SSLError, an IncompleteReadError, too
            raise NotAnswered(f"{to.url}: the connection was closed before an answer came", sent=True) from e
        except (ValueError, asyncio.LimitOverrunError) as e:
            raise StoreUnusableError(f"{to.url} does not answer in HTTP ({e}); is this the address of a Holdfast server?") from e
        finally:
            idle = self._idle.setdefault(to, [])
            if finished and len(idle) < MAX_IDLE:
                over.idle_since = time.monotonic()
                idle.append(over)
            else:
                over.close()

    def close(self) -> None:
        for address in list(self._idle):
            self._drop(address)


class _Progress:
    """Whether anything was sent when time is up."""

    sent = False


async def _read(reader: asyncio.StreamReader) -> Tuple[int, Dict[str, str], bytes, bool]:
    """Status, headers with names in small letters, body, and whether the connection can be used again."""
    while True:
        first = await _line(reader)
        if not first:
            raise EOFError
        version, _, rest = first.partition(" ")
        code = rest[:3]
        if not version.startswith("HTTP/1.") or not code.isdigit():
            raise ValueError("no status line")
        headers: Dict[str, str] = {}
        while True:
            line = await _line(reader)
            if not line:
                break
            name, colon, value = line.partition(":")
            if not colon or len(headers) >= MAX_HEADERS:
                raise ValueError("headers that are none")
            headers[name.strip().lower()] = value.strip()
        if not code.startswith("1"):
            break
    status = int(code)
    keep = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    if status in (204, 304):
        return status, headers, b"", keep
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return status, headers, await _chunks(reader), keep
    if "content-length" in headers:
        return status, headers, await reader.readexactly(_length(int(headers["content-length"]))), keep
    return status, headers, await _rest(reader), False


async def _line(reader: asyncio.StreamReader) -> str:
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return line.rstrip(b"\r\n").decode("latin-1")


def _length(length: int) -> int:
    if not 0 <= length <= MAX_BODY:
        raise ValueError("an answer of that length")
    return length


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        size = _length(int((await _line(reader)).partition(";")[0], 16))
        if size == 0:
            break
        _length(len(body) + size)
        body += await reader.readexactly(size)
        await _line(reader)
    while await _line(reader):  # trailers
        pass
    return bytes(body)


async def _rest(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        more = await reader.read(MAX_LINE)
        if not more:
            return bytes(body)
        body += more
        _length(len(body))
