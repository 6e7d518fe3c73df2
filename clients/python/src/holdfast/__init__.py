"""Locks of a Holdfast server: leases that end by themselves, a fair queue, and fencing tokens.

    import holdfast

    with holdfast.Client("https://locks.example.com", token_file="/run/secrets/holdfast-token") as locks:
        with locks.acquire("nightly-report", reason="report of March") as lease:
            write_report(token=lease.token)

``AsyncClient`` is the same for asyncio.
"""

from ._aio import AsyncClient, AsyncLease
from ._client import Client, Lease
from ._options import Busy, ClientOptions, LockOptions
from .errors import (
    AccessRefusedError,
    ClientClosedError,
    Holder,
    HoldfastError,
    InvalidRequestError,
    LeaseLostError,
    LockBusyError,
    LostReason,
    OutcomeUnknownError,
    StoreError,
    StoreUnavailableError,
    StoreUnusableError,
)

__all__ = [
    "AccessRefusedError",
    "AsyncClient",
    "AsyncLease",
    "Busy",
    "Client",
    "ClientClosedError",
    "ClientOptions",
    "Holder",
    "HoldfastError",
    "InvalidRequestError",
    "Lease",
    "LeaseLostError",
    "LockBusyError",
    "LockOptions",
    "LostReason",
    "OutcomeUnknownError",
    "StoreError",
    "StoreUnavailableError",
    "StoreUnusableError",
]
