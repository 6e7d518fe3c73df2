"""What a client is told when it is made, and how a lock is asked for."""

from __future__ import annotations

import math
import os
import socket
import ssl
import uuid
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from ._http import Address, Trust
from .errors import Holder, InvalidRequestError, LockBusyError, LostReason

if TYPE_CHECKING:
    Path = Union[str, os.PathLike[str]]

FOREVER = math.inf
LONGEST_WAIT = 7 * 24 * 3600.0

Told = Callable[[LostReason], Any]


class Busy:
    """Others have the lock: who, and how many wait. It is false, so that ``if lease:`` tells it from a lease."""

    def __init__(self, namespace: str, name: str, holders: Sequence[Holder], waiting: int) -> None:
        self.namespace = namespace
        self.name = name
        self.holders: Tuple[Holder, ...] = tuple(holders)
        self.waiting = waiting  # how many wait, or the place of the one who waits

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        lock = f"Lock '{self.name}' in '{self.namespace}'"
        if not self.holders:
            return f"{lock} is reserved for those who wait for it"
        first = self.holders[0]
        return f"{lock} is held by '{first.owner}'" + (f" ({first.reason})" if first.reason else "")

    def __repr__(self) -> str:
        return f"Busy({self})"

    def error(self) -> LockBusyError:
        return LockBusyError(str(self), self.holders, self.waiting)


class ClientOptions(TypedDict, total=False):
    """How servers are reached, and who asks. Times are seconds."""

    token: Optional[str]  # an API token or JWT
    token_file: Optional[Path]  # the same, in a file that is read once
    ca_file: Optional[Path]  # certificates (PEM) to trust instead of the system's
    client_cert: Optional[Path]  # our certificate (PEM), for a server that asks for one
    client_key: Optional[Path]  # its key, if it is not in the same file
    ssl_context: Optional[ssl.SSLContext]  # instead of these three
    namespace: str  # of locks for which none is given; "default"
    owner: Optional[str]  # shown as the holder; host name and process id
    timeout: float  # how long a request is tried again before it fails; 10


class LockOptions(TypedDict, total=False):
    """How a lock is asked for. Times are seconds. The bounds are the server's, which names what is wrong."""

    namespace: Optional[str]
    path: str  # a part of the lock
    paths: Sequence[str]  # several parts, together or not at all
    mode: str  # "exclusive", "shared" or "permit"
    limit: Optional[int]  # of permits: how many at once
    owner: Optional[str]
    reason: str
    metadata: Optional[Mapping[str, str]]
    lease: float  # how long the lock stays ours without a renewal; 30
    renew: bool  # False: it ends after its length, whatever happens
    min_hold: float  # keeps the lock busy for so long after the grant, even if it is released sooner
    lease_id: Optional[str]  # names the acquisition beforehand
    on_lost: Optional[Told]  # as lease.on_lost
    on_waiting: Optional[Callable[[Busy], Any]]  # called, as on_lost, with the place in the queue, each time the server tells it


class Settings:
    """Client options, checked."""

    def __init__(
        self,
        servers: Union[str, Sequence[str]],
        *,
        token: Optional[str] = None,
        token_file: Optional[Path] = None,
        ca_file: Optional[Path] = None,
        client_cert: Optional[Path] = None,
        client_key: Optional[Path] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        namespace: str = "default",
        owner: Optional[str] = None,
        timeout: float = 10.0,
    ) -> None:
        urls: List[str] = servers.split(",") if isinstance(servers, str) else list(servers)
        self.addresses = [Address.of(url.strip()) for url in urls]
        if not self.addresses:
            raise InvalidRequestError("there must be at least one server")
        if token is not None and token_file is not None:
            raise InvalidRequestError("give either token or token_file")
        if token_file is not None:
            token = _read(token_file)
        if token is not None and not (token and token.isascii() and token.isprintable() and " " not in token):
            raise InvalidRequestError("the token is empty or has characters that are not allowed")
        files = [None if path is None else os.fspath(path) for path in (ca_file, client_cert, client_key)]
        self.trust = Trust(files[0], files[1], files[2], ssl_context)
        self.headers = {"Content-Type": "application/json", "User-Agent": "holdfast-python"}
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"
        self.namespace = namespace
        self.owner = owner if owner is not None else f"{socket.gethostname()}-{os.getpid()}"
        if millis("timeout", timeout) == 0:
            raise InvalidRequestError("timeout must be above 0")
        self.timeout = float(timeout)

    def __str__(self) -> str:
        return f"{', '.join(address.url for address in self.addresses)} as '{self.owner}'"  # never the token


def _read(token_file: Path) -> str:
    try:
        with open(token_file, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError) as e:
        raise InvalidRequestError(f"the token cannot be read from '{os.fspath(token_file)}': {e}") from None


def millis(name: str, seconds: float) -> int:
    if not (isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds >= 0):
        raise InvalidRequestError(f"{name} {seconds!r} must be a number of seconds, 0 or more")
    return round(seconds * 1000)


class Wish:
    """Lock options, as they are sent."""

    def __init__(
        self,
        settings: Settings,
        name: str,
        wait: Optional[float],
        *,
        namespace: Optional[str] = None,
        path: str = "",
        paths: Sequence[str] = (),
        mode: str = "exclusive",
        limit: Optional[int] = None,
        owner: Optional[str] = None,
        reason: str = "",
        metadata: Optional[Mapping[str, str]] = None,
        lease: float = 30.0,
        renew: bool = True,
        min_hold: float = 0.0,
        lease_id: Optional[str] = None,
        on_lost: Optional[Told] = None,
        on_waiting: Optional[Callable[[Busy], Any]] = None,
    ) -> None:
        length = millis("lease", lease)
        self.wait = FOREVER if wait is None or wait == FOREVER else millis("wait", wait) / 1000
        if LONGEST_WAIT < self.wait < FOREVER:
            raise InvalidRequestError(f"wait {wait} must be at most 7 days, or None")
        self.renew, self.on_lost, self.on_waiting = renew, on_lost, on_waiting
        self.named = lease_id is not None  # by its user, who may know more about it than we do
        self.body: Dict[str, Any] = {
            "namespace": settings.namespace if namespace is None else namespace,
            "name": name,
            "owner": settings.owner if owner is None else owner,
            "lease_id": lease_id if lease_id is not None else new_id(),
            "lease_ms": length,
            "renew_every_ms": min(length // 3, 30_000) if renew else 0,
            "min_hold_ms": millis("min_hold", min_hold),
            "mode": mode,
            "metadata": dict(metadata or {}),
            "reason": reason,
        }
        if paths:
            self.body["paths"] = [path, *paths] if path else list(paths)
        else:
            self.body["path"] = path
        if limit is not None:
            self.body["limit"] = limit

    def __str__(self) -> str:
        return f"lock '{self.body['name']}' in '{self.body['namespace']}'"

    def place(self, **how: Any) -> Dict[str, Any]:
        """For a release of it."""
        return {"namespace": self.body["namespace"], "name": self.body["name"], "lease_id": self.body["lease_id"], **how}

    def busy(self, holders: Any, waiting: int) -> Busy:
        told = [Holder.read(one) for one in holders or () if isinstance(one, dict)]
        return Busy(self.body["namespace"], self.body["name"], told, waiting)


def new_id() -> str:
    """The same in every retry, and known to nobody else."""
    return uuid.uuid4().hex
