"""Locks of a Holdfast server, for programs with threads, or with none."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import threading
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Deque, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._aio import AsyncClient, AsyncLease
from ._leases import HeldLease
from ._options import Busy, ClientOptions, LockOptions, Told, Wish
from .errors import ClientClosedError

if TYPE_CHECKING:
    from typing_extensions import Unpack

LOG = logging.getLogger("holdfast")

MOST_THREADS = 32  # that call back at once

T = TypeVar("T")


class Lease(HeldLease):
    """A lock that is held. ``with`` releases it at the end, and raises LeaseLostError if it was lost meanwhile. Safe for any thread.

    Between a check and the effect it guards a process can be paused for any time: let what you protect refuse a smaller ``token``.
    """

    def __init__(self, client: Client, held: AsyncLease) -> None:
        super().__init__(held._kept)
        self._client = client
        self._held = held  # as long as somebody refers to this, it is renewed

    def on_lost(self, told: Told) -> None:
        """Calls this once if the lease is lost, also if it is already; never after a release. On a thread of its own, so it may block."""
        already = self._kept.on_lost(told)
        if already is not None:
            self._client._callbacks.run(told, already)

    def release(self) -> bool:
        """Releases it; true if it was held until now. If the server fails an error says so, and the lease ends by itself."""
        if self._kept.reason() is not None:
            return False
        return self._client._do(self._client._inner._release(self._kept)) is None

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._kept.reason() is not None:
            lost: Optional[BaseException] = self._kept.error()
        else:
            lost = self._client._do(self._client._inner._released(self._kept))
        if lost is not None and kind is None:
            raise lost


class Client:
    """The locks of one server, or of several on the same store. Safe for any thread; one client per process is enough.

    Leases are renewed on a thread of its own, with one request for all. ``with`` closes it: waits end with ClientClosedError, and leases that
    are still open are lost, but not released, since work may be going on under them.
    """

    def __init__(self, servers: Union[str, Sequence[str]], **options: Unpack[ClientOptions]) -> None:
        self._callbacks = _Callbacks()
        self._inner = _Inner(servers, self._callbacks, **options)
        self._process = os.getpid()
        self._closed = False
        self._closing = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="holdfast", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return repr(self._inner)

    def acquire(self, name: str, *, wait: Optional[float] = 30.0, **options: Unpack[LockOptions]) -> Lease:
        """Waits for the lock up to so many seconds (None: for ever). LockBusyError says who has it if that was not enough."""
        taken = self._take(Wish(self._inner._settings, name, wait, **options))
        if isinstance(taken, Busy):
            raise taken.error()
        return taken

    def try_acquire(self, name: str, *, wait: Optional[float] = 0.0, **options: Unpack[LockOptions]) -> Union[Lease, Busy]:
        """A lease, or Busy with who has the lock. Failures are errors, as always."""
        return self._take(Wish(self._inner._settings, name, wait, **options))

    def _take(self, wish: Wish) -> Union[Lease, Busy]:
        taken = self._do(self._inner._take(wish))
        return taken if isinstance(taken, Busy) else Lease(self, taken)

    def close(self) -> None:
        """Ends it; may be called twice."""
        with self._closing:
            if self._closed or self._process != os.getpid():
                return
            self._do(self._inner.close())
            self._closed = True
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    # ---- the thread

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        """Does it on the thread of this client, and waits for it. Whoever is interrupted meanwhile gives it up."""
        if self._process != os.getpid():
            work.close()
            raise ClientClosedError("This client was made before the process forked: make one in each process")
        if self._closed:
            work.close()
            raise self._inner._closed_error()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise self._inner._closed_error() from None
        except BaseException:
            future.cancel()  # no more than a hint if it is done
            raise

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left))
        self._loop.close()


class _Callbacks:
    """Calls back on threads of its own, which end when there is nothing to do: what blocks there delays no renewal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Deque[Tuple[Callable[[Any], Any], Any]] = deque()
        self._threads = 0

    def run(self, told: Callable[[Any], Any], what: Any) -> None:
        with self._lock:
            self._waiting.append((told, what))
            if self._threads >= MOST_THREADS:
                return
            self._threads += 1
        threading.Thread(target=self._work, name="holdfast-callback", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                told, what = self._waiting.popleft()
            try:
                told(what)
            except Exception:  # its mistake must not keep others from being told
                LOG.exception("A callback of a lock failed")


class _Inner(AsyncClient):
    def __init__(self, servers: Union[str, Sequence[str]], callbacks: _Callbacks, **options: Unpack[ClientOptions]) -> None:
        super().__init__(servers, **options)
        self._threads = callbacks

    def _tell(self, told: Sequence[Callable[[Any], Any]], what: Any) -> None:
        for callback in told:
            self._threads.run(callback, what)
