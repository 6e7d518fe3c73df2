"""What can go wrong. A lock that others have is never confused with a failure, and a failure never with a free lock."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Tuple


class LostReason(str, enum.Enum):
    """Why a lease is not held any more."""

    EXPIRED = "expired"  # it was not renewed before its end
    RELEASED = "released"  # it had already been released
    FORCED = "forced"  # an operator ended it
    ABANDONED = "abandoned"  # nobody refers to it any more, or it was a place in the queue that was given up
    REUSED = "reused"  # the lease id belongs to an acquisition with another owner, mode or path
    UNKNOWN = "unknown"  # the server does not know it
    STORE_UNREACHABLE = "store_unreachable"  # no renewal succeeded in time
    PAUSED = "paused"  # the process or machine was paused for longer than the lease
    CLOSED = "closed"  # the client was closed before the lease

    @classmethod
    def _missing_(cls, value: object) -> LostReason:
        return cls.UNKNOWN  # a word of a newer server

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Holder:
    """Somebody who holds a lock, as others may see it."""

    owner: str
    reason: str = ""
    token: int = 0
    mode: str = "exclusive"
    path: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    granted_at: str = ""
    expires_at: Optional[str] = None
    stale: bool = False

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Holder:
        """Reads a member of ``holders``; what is missing is left empty, since it is only shown."""
        return cls(
            owner=str(told.get("owner", "")),
            reason=str(told.get("reason") or ""),
            token=int(told.get("fencing_token") or 0),
            mode=str(told.get("mode", "exclusive")),
            path=str(told.get("path") or ""),
            metadata=dict(told.get("metadata") or {}),
            granted_at=str(told.get("granted_at", "")),
            expires_at=told.get("expires_at"),
            stale=bool(told.get("stale", False)),
        )


class HoldfastError(Exception):
    """Whatever this package raises. ``code`` is its name, the same in every language."""

    code = "holdfast"


class LockBusyError(HoldfastError):
    """Others have the lock, or are ahead in the queue. Not a failure."""

    code = "lock-busy"

    def __init__(self, message: str, holders: Sequence[Holder] = (), waiting: int = 0) -> None:
        super().__init__(message)
        self.holders: Tuple[Holder, ...] = tuple(holders)
        self.waiting = waiting


class LeaseLostError(HoldfastError):
    """The lease is over: stop working, then acquire again."""

    code = "lease-lost"

    def __init__(self, message: str, reason: LostReason) -> None:
        super().__init__(message)
        self.reason = reason


class InvalidRequestError(HoldfastError, ValueError):
    """A value is out of bounds; the message names it. Nothing was changed."""

    code = "invalid-request"


class ClientClosedError(HoldfastError):
    """The client is closed, perhaps since the call began to wait."""

    code = "client-closed"


class StoreError(HoldfastError):
    """Server or store failed. That says nothing about who has the lock."""

    code = "store"


class StoreUnavailableError(StoreError):
    """No server could do it in time. Nothing was changed; trying again may help."""

    code = "store-unavailable"


class StoreUnusableError(StoreError):
    """Trying again does not help: read the message. Nothing was changed."""

    code = "store-unusable"


class OutcomeUnknownError(StoreError):
    """It may or may not have been done: no answer came, or the server does not know."""

    code = "outcome-unknown"


class AccessRefusedError(StoreError):
    """The server does not know you, or does not allow this. Nothing was changed."""

    code = "access-refused"
