"""The parts that decide: how long a lease is believed in, and what counts as an answer."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any, List, Tuple
from unittest import mock

import surroundings  # noqa: F401 - finds the package

from holdfast._http import MAX_BODY, _read
from holdfast._leases import Kept
from holdfast._servers import Reply, batches
from holdfast.errors import LostReason, StoreUnusableError

WISH = {"namespace": "default", "name": "x", "owner": "me", "lease_id": "0123456789abcdef"}


class Clocks:
    """Two clocks that are set by hand."""

    def __init__(self) -> None:
        self.now, self.wall = 100.0, 1_000_000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.wall

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self.wall += seconds


class KeptTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clocks = Clocks()
        for module in ("_leases", "_servers"):
            patch = mock.patch(f"holdfast.{module}.time", self.clocks)
            patch.start()
            self.addCleanup(patch.stop)

    def kept(self, lease_ms: int = 10_000, waited_ms: int = 0, took: float = 0.0) -> Kept:
        sent = (self.clocks.now, self.clocks.wall)
        self.clocks.advance(took)
        headers = {"lease-waited-ms": str(waited_ms)}
        return Kept(WISH, Reply(200, headers, {"fencing_token": 7, "lease_ms": lease_ms}, *sent, False), True)

    def test_a_lease_counts_from_before_the_request_and_less_a_margin(self) -> None:
        self.assertAlmostEqual(self.kept(took=3.0).remaining(), 10 - 10 / 200 - 3)
        self.assertAlmostEqual(self.kept(lease_ms=100).remaining(), 0.1 - 0.002)

    def test_a_wait_takes_nothing_away_but_is_believed_only_as_far_as_it_can_be(self) -> None:
        self.assertAlmostEqual(self.kept(waited_ms=20_000, took=20.0).remaining(), 10 - 0.05 - 0.1)
        self.assertAlmostEqual(self.kept(waited_ms=1_000_000, took=2.0).remaining(), 10 - 0.05)
        self.assertAlmostEqual(self.kept(waited_ms=-5, took=0.0).remaining(), 10 - 0.05)

    def test_it_ends_on_either_clock(self) -> None:
        lease = self.kept()
        self.clocks.wall += 9.96  # the machine slept
        self.assertFalse(lease.valid())
        lease = self.kept()
        self.clocks.wall -= 3600  # set back
        self.assertTrue(lease.valid())
        self.clocks.now += 9.96
        self.assertFalse(lease.valid())

    def test_what_was_found_invalid_stays_so(self) -> None:
        lease = self.kept()
        self.clocks.advance(9.96)
        self.assertFalse(lease.valid())
        lease.renewed(10, self.clocks.now, self.clocks.wall)
        self.assertFalse(lease.valid())

    def test_an_answer_that_comes_late_does_not_shorten_it(self) -> None:
        lease = self.kept()
        self.clocks.advance(3)
        lease.renewed(10, self.clocks.now, self.clocks.wall)
        lease.renewed(10, self.clocks.now - 2, self.clocks.wall - 2)
        self.assertAlmostEqual(lease.remaining(), 10 - 0.05)

    def test_it_ends_once(self) -> None:
        lease = self.kept()
        told: List[LostReason] = []
        lease.on_lost(told.append)
        self.assertEqual(len(lease.lose(LostReason.FORCED) or []), 1)
        self.assertIsNone(lease.lose(LostReason.EXPIRED))
        self.assertFalse(lease.release())
        self.assertIs(lease.reason(), LostReason.FORCED)
        self.assertIs(lease.on_lost(told.append), LostReason.FORCED)

    def test_a_grant_without_its_fields_is_none(self) -> None:
        for body in ({}, {"fencing_token": 7}, {"fencing_token": "7", "lease_ms": 1000}, {"fencing_token": True, "lease_ms": 1000}):
            with self.subTest(body), self.assertRaises(StoreUnusableError):
                Kept(WISH, Reply(200, {}, body, 0, 0, False), True)

    def test_reasons_of_newer_servers_are_unknown(self) -> None:
        self.assertIs(LostReason("eaten"), LostReason.UNKNOWN)
        self.assertIs(LostReason("forced"), LostReason.FORCED)


class HttpTest(unittest.IsolatedAsyncioTestCase):
    async def read(self, text: bytes) -> Tuple[Any, ...]:
        reader = asyncio.StreamReader()
        reader.feed_data(text)
        reader.feed_eof()
        return await _read(reader)

    async def test_bodies_with_a_length_in_chunks_or_to_the_end(self) -> None:
        self.assertEqual((await self.read(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))[2:], (b"{}", True))
        chunks = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x\r\n}\r\n0\r\nT: x\r\n\r\n"
        self.assertEqual((await self.read(chunks))[2:], (b"{}", True))
        self.assertEqual((await self.read(b"HTTP/1.1 200 OK\r\n\r\n{}"))[2:], (b"{}", False))
        self.assertEqual((await self.read(b"HTTP/1.0 204 No\r\nX: y\r\n\r\n"))[:2], (204, {"x": "y"}))

    async def test_what_breaks_off_is_no_answer(self) -> None:
        for text in (b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"):
            with self.subTest(text), self.assertRaises(EOFError):
                await self.read(text)

    async def test_what_is_no_http_is_refused(self) -> None:
        for text in (
            b"SSH-2.0-x\r\n\r\n",
            b"HTTP/1.1 abc\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1),
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"".join(b"X%d: y\r\n" % i for i in range(200)) + b"\r\n",
        ):
            with self.subTest(text[:60]), self.assertRaises(ValueError):
                await self.read(text)

    def test_a_heartbeat_is_divided_into_requests_that_fit(self) -> None:
        leases = [({"name": "x" * 10}, i) for i in range(10)]
        self.assertEqual([len(part) for part in batches(leases, 4, 10_000)], [4, 4, 2])
        self.assertEqual([len(part) for part in batches(leases, 100, 60)], [2] * 5)
        self.assertEqual([len(part) for part in batches(leases, 100, 1)], [1] * 10)
        self.assertEqual(batches([], 4, 100), [])


if __name__ == "__main__":
    unittest.main()
