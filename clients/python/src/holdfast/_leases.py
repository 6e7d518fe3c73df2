"""Leases that are held here: how long each may be believed in, one heartbeat for all of them, and the news of a loss."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import weakref
from typing import Any, Callable, Coroutine, Dict, Iterable, List, Literal, Mapping, Optional, Set, Tuple

from ._options import Told
from ._servers import Ask, Reply, Servers, batches, field
from .errors import HoldfastError, LeaseLostError, LostReason, OutcomeUnknownError

LOG = logging.getLogger("holdfast")

MARGIN = 200  # this part of a lease the holder does not rely on, since clocks differ
LEAST_MARGIN = 0.002  # a check and the act it guards are not the same instant
MOST_BETWEEN = 30.0  # renewals are never further apart, however long the lease
LEAST_RETRY = 0.016
MOST_RETRY = 1.0
MOST_LEASES = 4_000  # of one request
MOST_BYTES = 3_000_000  # a server takes four megabytes
LEAST_PATIENCE = 0.25
IDLE = 3_600.0


class Kept:
    """A lease as it is kept: held, released, or lost. Safe for any thread.

    It believes in itself until the start of the last good request plus its length minus a margin, on the monotonic clock and on the wall
    clock (the monotonic one may stand still while a machine sleeps). Once it was found invalid it stays so, whatever answer comes later.
    """

    def __init__(self, wish: Mapping[str, Any], reply: Reply, renews: bool) -> None:
        self.namespace: str = wish["namespace"]
        self.name: str = wish["name"]
        self.owner: str = wish["owner"]
        self.lease_id: str = wish["lease_id"]
        self.token: int = field(reply.body, "fencing_token", int)
        self.renews = renews
        self._lock = threading.Lock()
        self._length: float = field(reply.body, "lease_ms", int) / 1000
        later = reply.decided_after()
        self._start, self._start_wall = reply.sent + later, reply.sent_wall + later
        self._state = "held"
        self._disbelieved = False
        self._reason: Optional[LostReason] = None
        self._told: List[Told] = []
        self._heard = False
        self._handle: Callable[[], Any] = lambda: self
        # For the heartbeat, on its loop only.
        self.renewing = False
        self.failing = False
        self.due = self._start + self.every()

    def __str__(self) -> str:
        return f"'{self.name}' in '{self.namespace}'"

    def handle(self, user: object) -> None:
        """The only way to it for its user: when nothing refers to that any more, nobody will release the lease."""
        self._handle = weakref.ref(user)

    def forgotten(self) -> bool:
        return self._handle() is None and not self._heard

    def every(self) -> float:
        """Seconds between renewals."""
        return min(MOST_BETWEEN, self._length / 3)

    def trusted_until(self) -> float:
        """Monotonic time at which it stops believing in itself."""
        return self._start + _trust(self._length)

    def remaining(self) -> float:
        with self._lock:
            trust = _trust(self._length)
            left = min(self._start + trust - time.monotonic(), self._start_wall + trust - time.time())
            if self._state != "held" or left <= 0:
                self._disbelieved = True
            return 0.0 if self._disbelieved else left

    def valid(self) -> bool:
        return self.remaining() > 0

    def reason(self) -> Optional[LostReason]:
        with self._lock:
            return self._reason

    def is_held(self) -> bool:
        with self._lock:
            return self._state == "held"

    def renewed(self, length: float, start: float, start_wall: float) -> None:
        with self._lock:
            later = start + _trust(length) > self.trusted_until()
            if self._state == "held" and not self._disbelieved and later:
                self._length, self._start, self._start_wall = length, start, start_wall

    def release(self) -> bool:
        """Marks it released; false if it had ended before."""
        with self._lock:
            held = self._state == "held"
            if held:
                self._state = "released"
            return held

    def lose(self, reason: LostReason) -> Optional[List[Told]]:
        """Marks it lost; whom to tell, or None if it had ended before."""
        with self._lock:
            if self._state != "held":
                return None
            self._state, self._reason = "lost", reason
            told, self._told = self._told, []
            return told

    def on_lost(self, told: Told) -> Optional[LostReason]:
        """Registers a callback; if it is lost already, the reason instead."""
        with self._lock:
            self._heard = True
            if self._reason is None:
                self._told.append(told)
            return self._reason

    def error(self) -> LeaseLostError:
        reason = self.reason()
        if reason is None:
            reason = LostReason.PAUSED if self.is_held() else LostReason.RELEASED
        return LeaseLostError(f"The lease on lock {self} is over ({reason}): stop working, then acquire it again", reason)

    def body(self, **more: Any) -> Dict[str, Any]:
        return {"namespace": self.namespace, "name": self.name, "lease_id": self.lease_id, **more}


class HeldLease:
    """What the leases of both clients have in common."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def __bool__(self) -> Literal[True]:
        return True  # also when it is lost: it tells a lease from Busy

    def __repr__(self) -> str:
        return f"<lease on lock {self._kept}, token {self.token}, {'valid' if self.valid else 'not valid'}>"  # the id is a secret

    @property
    def name(self) -> str:
        return self._kept.name

    @property
    def namespace(self) -> str:
        return self._kept.namespace

    @property
    def owner(self) -> str:
        return self._kept.owner

    @property
    def lease_id(self) -> str:
        """Names this acquisition; the right to release it. Keep it secret."""
        return self._kept.lease_id

    @property
    def token(self) -> int:
        """Above every earlier holder's. What you protect refuses anything below the highest it has seen."""
        return self._kept.token

    @property
    def valid(self) -> bool:
        """Whether the lock is certainly still held. Asks nobody, so it costs nothing."""
        return self._kept.valid()

    @property
    def lost(self) -> Optional[LostReason]:
        """Why it was lost; None while it is held and after an ordinary release."""
        return self._kept.reason()

    def remaining(self) -> float:
        """For how many seconds it is certainly held if no renewal succeeds; 0 when it is not."""
        return self._kept.remaining()

    def ensure_valid(self) -> None:
        """Raises LeaseLostError unless the lock is certainly held."""
        if not self._kept.valid():
            raise self._kept.error()


def _trust(length: float) -> float:
    return length - max(length / MARGIN, LEAST_MARGIN)


class Renewals:
    """Renews the leases of a client, all that are due or soon will be with one request. Runs on one event loop."""

    def __init__(self, servers: Servers, tell: Callable[[List[Told], LostReason], None]) -> None:
        self._servers = servers
        self._tell = tell
        self._leases: Set[Kept] = set()
        self._tasks: Set[asyncio.Task[None]] = set()
        self._timer: Optional[asyncio.TimerHandle] = None
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def keep(self, lease: Kept) -> None:
        self._leases.add(lease)
        self._look_at(self._next([lease]))

    def forget(self, lease: Kept) -> None:
        self._leases.discard(lease)

    def background(self, work: Coroutine[Any, Any, Any], what: str) -> None:
        """Nobody waits for this: if it does not arrive, time does the same."""

        async def done() -> None:
            try:
                await work
            except HoldfastError as e:
                LOG.info("Could not %s, it ends by itself: %s", what, e)

        task = self._loop.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settled(self, within: float) -> None:
        """Waits for what runs in the background."""
        tasks = set(self._tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=within)

    def close(self) -> None:
        """All leases here are lost; at the server they end by themselves, since work may be going on under them."""
        self._closed = True
        for lease in list(self._leases):
            self.lose(lease, LostReason.CLOSED, give_back=False)
        if self._timer is not None:
            self._timer.cancel()

    def cancel(self) -> None:
        for task in list(self._tasks):
            task.cancel()

    # ---- when to look

    def _next(self, leases: Iterable[Kept]) -> float:
        times = (
            min(lease.due, lease.trusted_until()) if lease.renews and not lease.renewing else lease.trusted_until() for lease in leases
        )
        return min(times, default=time.monotonic() + IDLE)

    def _look_at(self, at: float) -> None:
        if self._closed:
            return
        when = self._loop.time() + max(0.0, at - time.monotonic())
        if self._timer is not None:
            if self._timer.when() <= when and not self._timer.cancelled():
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._look)

    def _look(self) -> None:
        self._timer = None
        now = time.monotonic()
        due: List[Kept] = []
        soon: List[Kept] = []
        for lease in list(self._leases):
            if not lease.valid():
                self.lose(lease, _why_ended(lease), give_back=lease.renews)
            elif not lease.renews or lease.renewing:
                continue
            elif lease.forgotten():
                LOG.warning("Lock %s was not released, and nothing refers to its lease any more: it is given back. Use 'with'", lease)
                self.lose(lease, LostReason.ABANDONED, give_back=True)
            elif lease.due <= now:
                due.append(lease)
            elif lease.due - now < lease.every() / 2:
                soon.append(lease)
        if due:
            for part in batches([(lease.body(), lease) for lease in due + soon], MOST_LEASES, MOST_BYTES):
                for _, lease in part:
                    lease.renewing = True
                self.background(self._renew(part), "renew")
        self._look_at(self._next(self._leases))

    # ---- what to do then

    async def _renew(self, part: List[Tuple[Mapping[str, Any], Kept]]) -> None:
        leases = [lease for _, lease in part]
        now = time.monotonic()
        patience = max(LEAST_PATIENCE, (min(lease.trusted_until() for lease in leases) - now) / 3)
        body = {"leases": [one for one, _ in part]}
        ask = Ask(f"the renewal of {len(leases)} leases", "/v2/locks/renew", body, now + patience, patience, urgent=True)
        try:
            reply = await self._servers.send(ask)
            results = reply.body.get("results")
            told = results if isinstance(results, list) else []
        except HoldfastError as e:
            for lease in leases:
                self._failed(lease, e)
            return
        finally:
            for lease in leases:
                lease.renewing = False
        for i, lease in enumerate(leases):  # in the order in which they were asked
            self._settle(lease, told[i] if i < len(told) else {}, reply)
        self._look_at(self._next(self._leases))

    def _settle(self, lease: Kept, result: Any, reply: Reply) -> None:
        outcome = result.get("outcome") if isinstance(result, dict) and result.get("lease_id") == lease.lease_id else None
        length = result.get("lease_ms") if outcome == "renewed" else None
        if isinstance(length, int):
            lease.renewed(length / 1000, reply.sent, reply.sent_wall)
            lease.failing = False
            lease.due = reply.sent + lease.every()
            if not lease.valid() and lease.is_held():
                self.lose(lease, _why_ended(lease), give_back=True)  # too late for its holder, who was told already
        elif outcome == "lost":
            self.lose(lease, LostReason(result.get("reason")), give_back=False)
        else:
            self._failed(lease, OutcomeUnknownError("the server does not know what became of the lease"))

    def _failed(self, lease: Kept, failure: HoldfastError) -> None:
        if not lease.is_held():
            return
        left = lease.remaining()
        if left <= 0:
            lease.failing = True
            self.lose(lease, LostReason.STORE_UNREACHABLE, give_back=True)
            return
        if not lease.failing:  # an outage is said once, not with every try
            LOG.warning("Renewing lock %s failed, trying again until the lease ends in %.1f s: %s", lease, left, failure)
        lease.failing = True
        lease.due = time.monotonic() + max(LEAST_RETRY, min(left / 4, MOST_RETRY))
        self._look_at(lease.due)

    def lose(self, lease: Kept, reason: LostReason, give_back: bool) -> None:
        """Ends the lease here, once; gives it back at the server if it may still be held there."""
        told = lease.lose(reason)
        self.forget(lease)
        if told is None:
            return
        if told:
            self._tell(told, reason)
        if give_back:
            self.background(self.end(lease.body(lost=True)), f"give back lock {lease}")

    async def end(self, lease: Mapping[str, Any], timeout: float = 5.0) -> Optional[LostReason]:
        """Ends a lease or a place at the server. None if this did it, else how it had ended before."""
        until = time.monotonic() + timeout
        what = f"the release of lock '{lease['name']}' in '{lease['namespace']}'"
        reply = await self._servers.send(Ask(what, "/v2/locks/release", {"leases": [lease]}, until, timeout))
        results = field(reply.body, "results", list)
        result = results[0] if results and isinstance(results[0], dict) else {}
        outcome = field(result, "outcome", str)
        if outcome == "released":
            return None
        if outcome == "not_held":
            reason = LostReason(result.get("reason"))
            return None if reply.doubted and reason is LostReason.RELEASED else reason  # by this request, whose answer did not come
        raise OutcomeUnknownError(f"The server does not know whether {what[4:]} was carried out")


def _why_ended(lease: Kept) -> LostReason:
    if not lease.renews:
        return LostReason.EXPIRED
    return LostReason.STORE_UNREACHABLE if lease.renewing or lease.failing else LostReason.PAUSED
