"""Locks of a Holdfast server, for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Generator, Optional, Sequence, Set, Tuple, Type, TypeVar, Union

from ._http import Http
from ._leases import HeldLease, Kept, Renewals
from ._options import FOREVER, Busy, ClientOptions, LockOptions, Settings, Told, Wish, new_id
from ._servers import Ask, Reply, Servers, field
from .errors import (
    ClientClosedError,
    HoldfastError,
    InvalidRequestError,
    LeaseLostError,
    LostReason,
    OutcomeUnknownError,
    StoreError,
    StoreUnavailableError,
    StoreUnusableError,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

LOG = logging.getLogger("holdfast")

LONGEST_PARK = 20.0  # seconds a request waits at the server: less than the patience of proxies and firewalls
SHORTEST_PARK = 1.0
FIRST_PARK = 0.5  # for those who want to hear of their place
TICK = 0.001  # the server counts in milliseconds
MOST_WAITING = 10_000  # each has a connection
MOST_TRIES = 3  # of an acquisition that does not wait, each granted and ended before the answer came
CLOSE_WITHIN = 2.0

T = TypeVar("T")


class AsyncLease(HeldLease):
    """A lock that is held. ``async with`` releases it at the end, and raises LeaseLostError if it was lost meanwhile.

    Between a check and the effect it guards a process can be paused for any time: let what you protect refuse a smaller ``token``.
    """

    def __init__(self, client: AsyncClient, kept: Kept) -> None:
        super().__init__(kept)
        self._client = client
        kept.handle(self)

    def on_lost(self, told: Told) -> None:
        """Calls this once if the lease is lost, also if it is already; never after a release. It may be a coroutine function."""
        already = self._kept.on_lost(told)
        if already is not None:
            self._client._tell([told], already)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does this work; if the lease is lost meanwhile, cancels it and raises LeaseLostError."""
        task = asyncio.ensure_future(work)
        self.on_lost(lambda reason: task.cancel())
        try:
            return await task
        except asyncio.CancelledError:
            if self.lost is not None:
                raise self._kept.error() from None
            raise  # the caller was cancelled, and the work with it

    async def release(self) -> bool:
        """Releases it; true if it was held until now. If the server fails an error says so, and the lease ends by itself."""
        return await self._client._release(self._kept) is None

    async def __aenter__(self) -> AsyncLease:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        lost = await self._client._released(self._kept)
        if lost is not None and kind is None:
            raise lost


class Acquiring:
    """What ``acquire`` returns: to be awaited, or used with ``async with``."""

    def __init__(self, client: AsyncClient, wish: Wish) -> None:
        self._client = client
        self._wish = wish
        self._lease: Optional[AsyncLease] = None

    async def _acquire(self) -> AsyncLease:
        taken = await self._client._take(self._wish)
        if isinstance(taken, Busy):
            raise taken.error()
        return taken

    def __await__(self) -> Generator[Any, None, AsyncLease]:
        return self._acquire().__await__()

    async def __aenter__(self) -> AsyncLease:
        self._lease = await self._acquire()
        return self._lease

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        assert self._lease is not None
        await self._lease.__aexit__(kind, error, trace)


class AsyncClient:
    """The locks of one server, or of several on the same store. For one event loop; one client per process is enough.

    Leases are renewed with one request for all. ``async with`` closes it: waits end with ClientClosedError, and leases that are still open
    are lost, but not released, since work may be going on under them.
    """

    def __init__(self, servers: Union[str, Sequence[str]], **options: Unpack[ClientOptions]) -> None:
        self._settings = Settings(servers, **options)
        self._asking: Set[asyncio.Task[Union[AsyncLease, Busy]]] = set()
        self._callbacks: Set[asyncio.Future[Any]] = set()
        self._longest_park = LONGEST_PARK
        self._parts: Optional[Tuple[Http, Servers, Renewals]] = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._closed = False

    def __repr__(self) -> str:
        return f"<client of {self._settings}>"

    # ---- taking

    def acquire(self, name: str, *, wait: Optional[float] = 30.0, **options: Unpack[LockOptions]) -> Acquiring:
        """Waits for the lock up to so many seconds (None: for ever). LockBusyError says who has it if that was not enough."""
        return Acquiring(self, Wish(self._settings, name, wait, **options))

    async def try_acquire(
        self, name: str, *, wait: Optional[float] = 0.0, **options: Unpack[LockOptions]
    ) -> Union[AsyncLease, Busy]:
        """A lease, or Busy with who has the lock. Failures are errors, as always."""
        return await self._take(Wish(self._settings, name, wait, **options))

    async def _take(self, wish: Wish) -> Union[AsyncLease, Busy]:
        if self._closed:
            raise self._closed_error()
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError("An AsyncClient is for one event loop: make one for each")
        asking = asyncio.get_running_loop().create_task(self._ask(wish))
        self._asking.add(asking)
        try:
            await asyncio.wait({asking})
        except asyncio.CancelledError:  # the caller went away
            if not asking.cancel() and not asking.cancelled() and asking.exception() is None:
                self._unwanted(wish, asking.result())
            raise
        finally:
            self._asking.discard(asking)
        if asking.cancelled():
            raise self._closed_error()
        return asking.result()

    def _unwanted(self, wish: Wish, taken: Union[AsyncLease, Busy]) -> None:
        """Granted at the moment at which its caller went away."""
        if isinstance(taken, AsyncLease) and taken._kept.release():
            self._renewals().forget(taken._kept)
            self._leave(wish)

    async def _ask(self, wish: Wish) -> Union[AsyncLease, Busy]:
        end = time.monotonic() + wish.wait
        try:
            answer = await self._granted_or_busy(wish, end)
        except HoldfastError:
            raise
        except BaseException:  # its caller went away, or the client is closed
            self._leave(wish)
            raise
        if isinstance(answer, Busy):
            return answer
        kept = Kept(wish.body, answer, wish.renew)
        lease = AsyncLease(self, kept)
        if wish.on_lost is not None:
            lease.on_lost(wish.on_lost)
        self._renewals().keep(kept)
        return lease

    def _leave(self, wish: Wish) -> None:
        """Leaves the queue. What may have been granted is given back, unless its user named it and may rely on it elsewhere."""
        body = wish.place(place_only=True) if wish.named else wish.place(unused=True)
        self._renewals().background(self._renewals().end(body), f"give up {wish}")

    async def _granted_or_busy(self, wish: Wish, end: float) -> Union[Reply, Busy]:
        """Asks again under a new lease id when the last one ended before anybody heard of its grant."""
        tries = 0
        while True:
            tries += 1
            answer = await self._poll(wish, end)
            if isinstance(answer, LostReason):
                if wish.named:
                    raise LeaseLostError(f"This acquisition of {wish} is over ({answer}); a new one needs a new lease_id", answer)
                if tries >= MOST_TRIES and time.monotonic() >= end:
                    raise StoreUnavailableError(
                        f"The {wish} was granted {tries} times, and each time it had ended before the answer came. Nothing is held"
                    )
                wish.body["lease_id"] = new_id()
            elif isinstance(answer, Busy) and wish.wait == FOREVER:
                await asyncio.sleep(1)  # there was no room to wait, and there may be soon
            else:
                return answer

    async def _poll(self, wish: Wish, end: float) -> Union[Reply, Busy, LostReason]:
        """One request, or one after the other while it waits, all with the same lease id, so that the place is kept between them."""
        place = wish.busy((), 0)
        waits = wish.wait > 0 and len(self._asking) <= MOST_WAITING
        failure: Optional[StoreError] = None
        first = True
        while True:
            now = time.monotonic()
            park, until = 0.0, now + self._settings.timeout
            if waits:
                park = min(end - now, FIRST_PARK if first and wish.on_waiting else self._longest_park)
                if first:
                    park = max(TICK, park)  # busy is told only by a server
                elif park < TICK:
                    return await self._in_vain(wish, place, failure)
                until = now + park
            first = False
            body = {**wish.body, "wait_ms": int(park * 1000)}
            ask = Ask(f"the request for {wish}", "/v2/locks/acquire", body, until, self._settings.timeout, hold=park)
            try:
                reply = await self._servers().send(ask)
            except InvalidRequestError as e:
                if "wait_ms" not in str(e) or park <= SHORTEST_PARK:
                    raise
                self._longest_park = max(SHORTEST_PARK, self._longest_park / 2)  # this server lets requests wait for less
                continue
            except (StoreUnavailableError, OutcomeUnknownError) as e:
                if not waits:
                    if isinstance(e, OutcomeUnknownError):
                        self._leave(wish)  # it may have been granted
                    raise
                failure = e  # told when time is up
                await asyncio.sleep(0.1)
                continue
            failure = None
            if reply.status == 202:
                place = wish.busy(reply.body.get("holders"), field(reply.body, "position", int))
                if wish.on_waiting is not None:
                    self._tell([wish.on_waiting], place)
            else:
                return _answer(wish, reply)

    async def _in_vain(self, wish: Wish, place: Busy, failure: Optional[StoreError]) -> Busy:
        """Time is up: the place is given up before that is told. If that fails it ends by itself, a little later."""
        if failure is not None:
            self._leave(wish)
            raise failure
        try:
            await self._renewals().end(wish.place(place_only=True), self._settings.timeout)
        except StoreError as e:
            LOG.info("Could not leave the queue of %s, the place ends by itself: %s", wish, e)
        return place

    # ---- ending

    async def _release(self, kept: Kept) -> Optional[LostReason]:
        """None if it was held until now; else how it had ended."""
        renewals = self._renewals()
        if not kept.valid() and kept.is_held():
            renewals.lose(kept, LostReason.PAUSED if kept.renews else LostReason.EXPIRED, give_back=kept.renews)
        if not kept.release():
            return kept.reason() or LostReason.RELEASED
        renewals.forget(kept)
        if self._closed:
            raise self._closed_error()
        return await renewals.end(kept.body(), self._settings.timeout)

    async def _released(self, kept: Kept) -> Optional[LeaseLostError]:
        """At the end of ``with``. A server that fails is logged: the work is done, and the lease ends by itself."""
        open_until_now = kept.is_held()
        try:
            reason = await self._release(kept)
        except StoreError as e:
            LOG.warning("Lock %s could not be released and ends by itself: %s", kept, e)
            return None
        if reason is None or (kept.reason() is None and not open_until_now):
            return None  # its user may have released it before
        return LeaseLostError(f"The lease on lock {kept} was lost ({reason}): others may have worked at the same time", reason)

    async def close(self) -> None:
        """Ends it; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._parts is None:
            return
        http, _, renewals = self._parts
        asking = set(self._asking)
        for task in asking:
            task.cancel()
        if asking:
            await asyncio.wait(asking)
        renewals.close()
        await renewals.settled(CLOSE_WITHIN)  # places in queues are given up
        renewals.cancel()
        http.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    # ---- the parts

    def _made(self) -> Tuple[Http, Servers, Renewals]:
        """Made on the loop that uses them."""
        if self._parts is None:
            http = Http(self._settings.trust)
            servers = Servers(self._settings.addresses, http, self._settings.headers)
            self._parts = (http, servers, Renewals(servers, self._tell))
        return self._parts

    def _servers(self) -> Servers:
        return self._made()[1]

    def _renewals(self) -> Renewals:
        return self._made()[2]

    def _closed_error(self) -> ClientClosedError:
        return ClientClosedError(f"The client of {self._settings.addresses[0].url} is closed")

    def _tell(self, told: Sequence[Callable[[Any], Any]], what: Any) -> None:
        for callback in told:
            asyncio.get_running_loop().call_soon(self._call, callback, what)

    def _call(self, callback: Callable[[Any], Any], what: Any) -> None:
        try:
            result = callback(what)
        except Exception:  # its mistake must not keep others from being told
            LOG.exception("A callback of a lock failed")
            return
        if inspect.isawaitable(result):
            task = asyncio.ensure_future(result)
            self._callbacks.add(task)
            task.add_done_callback(self._callbacks.discard)


def _answer(wish: Wish, reply: Reply) -> Union[Reply, Busy, LostReason]:
    if reply.status == 200:
        if field(reply.body, "lease_id", str) != wish.body["lease_id"]:
            raise StoreUnusableError("the answer is about another lease; is this a Holdfast server?")
        field(reply.body, "fencing_token", int)
        field(reply.body, "lease_ms", int)
        return reply
    if reply.status == 409:
        return LostReason(reply.body.get("reason"))
    if reply.status in (423, 429):
        return wish.busy(reply.body.get("holders"), int(reply.body.get("queue_length") or 0))
    raise StoreUnusableError(f"the server answered {reply.status} to the request for {wish}; is this a Holdfast server?")
