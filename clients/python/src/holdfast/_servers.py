"""Brings a request to one of several servers: the one that answered last first, after a failure the next, until time is up."""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from ._http import Address, Answer, Http, NotAnswered
from .errors import (
    AccessRefusedError,
    HoldfastError,
    InvalidRequestError,
    OutcomeUnknownError,
    StoreUnavailableError,
    StoreUnusableError,
)

LEAST_PATIENCE = 0.25  # a new connection takes several round trips
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 1.0
SOON = 0.1
LATE = 5.0  # however late a server asks us to come back
UNDER_WAY = 64  # short requests at once; more wait here
DRIFT = 200  # this part of a time on the server's clock may not have passed on ours


@dataclass(frozen=True)
class Ask:
    """A request, and how long to try.

    ``until``: monotonic time until which failures are bridged. ``patience``: seconds one try may take. ``hold``: how long the server may keep
    it besides. ``urgent``: does not wait for others.
    """

    what: str
    path: str
    body: Mapping[str, Any]
    until: float
    patience: float
    hold: float = 0.0
    urgent: bool = False


@dataclass(frozen=True)
class Reply:
    """An answer that says something about a lock.

    ``sent``, ``sent_wall``: the two clocks not after the request was sent. ``doubted``: the same request may have been carried out before.
    """

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    sent: float
    sent_wall: float
    doubted: bool

    def code(self) -> str:
        return str(self.body.get("code", ""))

    def decided_after(self) -> float:
        """Seconds from sending the request to the decision, not more than really passed here."""
        try:
            millis = int(self.headers.get("lease-waited-ms", "0"))
        except ValueError:
            return 0.0
        later = (millis - (millis + DRIFT - 1) // DRIFT) / 1000
        return max(0.0, min(later, time.monotonic() - self.sent))


def field(body: Mapping[str, Any], name: str, kind: type) -> Any:
    """What an answer must have. If it is missing, another program answers."""
    value = body.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise StoreUnusableError(f"field '{name}' is missing in the answer; is this a Holdfast server of this version?")
    return value


class _Again(Exception):
    """Another try may help."""

    def __init__(self, why: str, pause: float, doubt: bool) -> None:
        super().__init__(why)
        self.pause = pause
        self.doubt = doubt


class Servers:
    """The servers of a client. To be used on one event loop."""

    def __init__(self, servers: Sequence[Address], http: Http, headers: Mapping[str, str]) -> None:
        self.addresses: List[Address] = list(servers)
        self._http = http
        self._headers = dict(headers)
        self._preferred = 0
        self._turns = asyncio.Semaphore(UNDER_WAY)

    async def send(self, ask: Ask) -> Reply:
        """The answer: 2xx, or 409, 423 or a full queue with a code of ours. Else an error says what went wrong."""
        if ask.urgent or ask.hold > 0:
            return await self._send(ask)
        async with self._turns:
            return await self._send(ask)

    async def _send(self, ask: Ask) -> Reply:
        body = json.dumps(ask.body).encode()
        tries = untrusted = 0
        doubt = False
        last = "the time was up before it could be asked"
        while True:
            left = ask.until - time.monotonic()
            if left <= 0:
                break
            index = self._preferred
            server = self.addresses[index]
            tries += 1
            try:
                answer = await self._http.send(server, ask.path, self._headers, body, self._patience(ask, left))
                doubt |= answer.resent
                untrusted = 0
                return _verdict(server, ask, answer, doubt)
            except _Again as e:
                doubt |= e.doubt
                last, pause = f"{server.url}: {e}", e.pause
            except NotAnswered as e:
                doubt |= e.sent
                last, pause = str(e), self._pause(tries)
                untrusted = untrusted + 1 if e.unsafe else 0
                if untrusted >= len(self.addresses):
                    raise StoreUnusableError(
                        f"No safe connection to {last}. Check the certificate of the server, and which ones are trusted here (ca_file)"
                    ) from e
            if self._preferred == index:
                self._preferred = (index + 1) % len(self.addresses)
            if tries % len(self.addresses) != 0:
                pause = 0.0  # the next server first
            if time.monotonic() + pause >= ask.until:
                break
            await asyncio.sleep(pause)
        raise self._unanswered(ask, tries, doubt, last)

    def _patience(self, ask: Ask, left: float) -> float:
        """Several servers share the time. A request that waits at the server is answered when its time is up, which may take a moment, too."""
        if ask.hold > 0:
            return ask.patience + ask.hold
        share = left / 2 if len(self.addresses) > 1 else left
        return max(LEAST_PATIENCE, min(share, ask.patience))

    def _pause(self, tries: int) -> float:
        cycles = min(tries // len(self.addresses), 6)
        most = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**cycles)
        return most * random.uniform(0.5, 1.0)

    def _unanswered(self, ask: Ask, tries: int, doubt: bool, last: str) -> HoldfastError:
        how = f"No Holdfast server answered {ask.what} ({tries} tries; {last}). "
        if doubt:
            return OutcomeUnknownError(how + "It may or may not have been done: check before relying on either")
        where = f"{self.addresses[0].url}/health/ready"
        return StoreUnavailableError(f"{how}Nothing was changed. Check the address, and whether it runs: {where}")


def _verdict(server: Address, ask: Ask, answer: Answer, doubt: bool) -> Reply:
    """What a response means: an answer, a failure for good, or a reason to try again."""
    body, status = _object(server, answer), answer.status
    code = str(body.get("code", ""))
    detail = str(body.get("detail") or f"status {status}")
    # A proxy may say 409 or 423 too, for reasons of its own: only with a code of ours is it about the lock.
    if 200 <= status < 300 or (code and status in (409, 423)) or code == "too-many-waiters":
        return Reply(status, answer.headers, body, answer.sent, answer.sent_wall, doubt)
    if status in (400, 413, 415, 422):
        raise InvalidRequestError(detail)
    if status in (401, 403):
        raise AccessRefusedError(f"{server.url} refused {ask.what}: {detail}")
    if code == "store-unusable":
        raise StoreUnusableError(f"{server.url} cannot use its store: {detail}")
    if status in (429, 503):
        raise _Again(detail, _retry_after(answer), code == "outcome-unknown")
    if status in (500, 502, 504):
        raise _Again(detail, SOON, True)
    if status == 421:
        raise StoreUnusableError(f"{server.url} does not answer to that name: {detail}")
    raise StoreUnusableError(
        f"{server.url} answered {status} to {ask.what}; is this the address of a Holdfast server, of this version or newer?"
    )


def _object(server: Address, answer: Answer) -> Dict[str, Any]:
    if "json" not in answer.headers.get("content-type", ""):
        return {}
    try:
        body = json.loads(answer.body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise StoreUnusableError(f"{server.url} answered something that is not a JSON object; is this a Holdfast server?")
    return body


def _retry_after(answer: Answer) -> float:
    text = answer.headers.get("retry-after", "0")
    try:
        seconds = float(text)
    except ValueError:
        return 1.0  # a date; soon enough
    return min(LATE, max(SOON, seconds)) if math.isfinite(seconds) else LATE


def batches(leases: Sequence[Tuple[Mapping[str, Any], Any]], most: int, most_bytes: int) -> List[List[Tuple[Mapping[str, Any], Any]]]:
    """Parts of a list that fit into a request each."""
    parts: List[List[Tuple[Mapping[str, Any], Any]]] = []
    size = most_bytes
    for one in leases:
        length = len(json.dumps(one[0])) + 2
        if not parts or len(parts[-1]) >= most or size + length > most_bytes:
            parts.append([])
            size = 0
        parts[-1].append(one)
        size += length
    return parts
