"""What is special about the Python clients; what every client does is in test_conformance."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import uuid
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List

from surroundings import SERVER, TOKEN, Line, Stub, dead, force, look, needs_server

import holdfast

LIMIT = 60.0  # only a failure takes so long


def lock() -> str:
    return f"python-{uuid.uuid4().hex[:12]}"


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("not in time")
        time.sleep(0.02)


def owners(name: str, kind: str = "holders") -> List[str]:
    return [one["owner"] for one in look("default", name)[kind]]


def client(**options: Any) -> holdfast.Client:
    return holdfast.Client(SERVER, token=TOKEN, **options)


@needs_server
class ClientTest(unittest.TestCase):
    def test_with_takes_and_releases(self) -> None:
        name = lock()
        with client(owner="me") as locks:
            with locks.acquire(name, reason="a test") as lease:
                self.assertTrue(lease.valid)
                self.assertEqual(owners(name), ["me"])
                self.assertGreater(lease.remaining(), 0)
                lease.ensure_valid()
            self.assertFalse(lease.valid)
            self.assertIsNone(lease.lost)
            self.assertRaises(holdfast.LeaseLostError, lease.ensure_valid)
        self.assertEqual(owners(name), [])

    def test_busy_is_false_as_a_value_and_an_error_where_one_waits(self) -> None:
        name = lock()
        with client(owner="me") as locks, locks.acquire(name, reason="invoices"):
            busy = locks.try_acquire(name)
            self.assertFalse(busy)
            assert isinstance(busy, holdfast.Busy)
            self.assertEqual(busy.holders[0].owner, "me")
            self.assertEqual(str(busy), f"Lock '{name}' in 'default' is held by 'me' (invoices)")
            with self.assertRaises(holdfast.LockBusyError) as caught:
                locks.acquire(name, wait=0.3)
            self.assertEqual(caught.exception.holders[0].reason, "invoices")

    def test_the_end_of_with_tells_of_a_loss(self) -> None:
        name = lock()
        with client() as locks:
            with self.assertRaises(holdfast.LeaseLostError) as caught:
                with locks.acquire(name) as lease:
                    force("default", name, lease.token)
            self.assertIs(caught.exception.reason, holdfast.LostReason.FORCED)

    def test_an_error_of_the_work_is_not_replaced_by_the_loss(self) -> None:
        name = lock()
        with client() as locks, self.assertRaisesRegex(RuntimeError, "of the work"):
            with locks.acquire(name) as lease:
                force("default", name, lease.token)
                raise RuntimeError("of the work")

    def test_released_by_hand_inside_with_is_no_loss(self) -> None:
        with client() as locks, locks.acquire(lock()) as lease:
            self.assertTrue(lease.release())
            self.assertFalse(lease.release())

    def test_who_asks_after_the_loss_is_told_too(self) -> None:
        name = lock()
        told: List[holdfast.LostReason] = []
        with client() as locks:
            lease = locks.acquire(name, lease=1, on_lost=told.append)
            force("default", name, lease.token)
            until(lambda: told == [holdfast.LostReason.FORCED])
            lease.on_lost(told.append)
            until(lambda: told == [holdfast.LostReason.FORCED] * 2)
            self.assertFalse(lease.release())

    def test_a_callback_that_blocks_or_fails_delays_no_renewal(self) -> None:
        name, go = lock(), threading.Event()
        with client() as locks:
            kept = locks.acquire(lock(), lease=1)
            lease = locks.acquire(name, lease=1)
            called: List[Any] = []
            lease.on_lost(lambda reason: called.append(go.wait(LIMIT)))
            lease.on_lost(lambda reason: 1 / 0)
            with self.assertLogs("holdfast", "ERROR"):
                force("default", name, lease.token)
                until(lambda: lease.lost is not None)
                time.sleep(1.5)  # longer than the other lease
            self.assertTrue(kept.valid)
            go.set()
            until(lambda: called == [True])

    def test_a_lease_nothing_refers_to_is_given_back(self) -> None:
        name = lock()
        with client() as locks, self.assertLogs("holdfast", "WARNING"):
            locks.acquire(name, lease=1)
            gc.collect()
            until(lambda: owners(name) == [])
            until(lambda: not locks._inner._renewals()._leases)

    def test_a_wait_that_is_interrupted_leaves_the_queue(self) -> None:
        name = lock()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started us may have it ignored
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with client() as locks, locks.acquire(name):

            def interrupt() -> None:
                until(lambda: len(owners(name, "waiters")) == 1)
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=interrupt).start()
            self.assertRaises(KeyboardInterrupt, locks.acquire, name, wait=LIMIT)
            until(lambda: owners(name, "waiters") == [])

    def test_the_place_in_the_queue_is_told(self) -> None:
        name = lock()
        places: List[holdfast.Busy] = []
        with client(owner="me") as locks:
            lease = locks.acquire(name)
            waiting = threading.Thread(target=lambda: locks.acquire(name, wait=LIMIT, on_waiting=places.append).release())
            waiting.start()
            until(lambda: bool(places))
            self.assertEqual((places[0].waiting, places[0].holders[0].owner), (1, "me"))
            lease.release()
            waiting.join()

    def test_the_same_lease_id_is_the_same_acquisition(self) -> None:
        name, lease_id = lock(), uuid.uuid4().hex
        with client() as locks:
            first = locks.acquire(name, lease_id=lease_id)
            again = locks.try_acquire(name, lease_id=lease_id)
            assert isinstance(again, holdfast.Lease)
            self.assertEqual(again.token, first.token)
            first.release()
            with self.assertRaises(holdfast.LeaseLostError) as caught:
                locks.try_acquire(name, lease_id=lease_id)
            self.assertIs(caught.exception.reason, holdfast.LostReason.RELEASED)

    def test_several_parts_are_taken_together(self) -> None:
        name = lock()
        with client() as locks, locks.acquire(name, paths=["eu/orders", "us"]):
            self.assertFalse(locks.try_acquire(name, path="us/texas"))
            self.assertTrue(locks.try_acquire(name, path="asia"))

    def test_a_minimum_hold_outlasts_the_release(self) -> None:
        name = lock()
        with client() as locks:
            locks.acquire(name, min_hold=LIMIT).release()
            self.assertFalse(locks.try_acquire(name))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_client_is_refused_in_a_forked_process(self) -> None:
        with client() as locks:
            locks.acquire(lock()).release()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that there are threads is the point
                child = os.fork()
            if child == 0:
                try:
                    locks.acquire(lock())
                except holdfast.ClientClosedError:
                    os._exit(7)
                finally:
                    os._exit(1)
            self.assertEqual(os.waitpid(child, 0)[1] >> 8, 7)

    def test_a_closed_client_can_be_closed_again(self) -> None:
        locks = client()
        with locks.acquire(lock()):
            pass
        locks.close()
        locks.close()
        self.assertRaises(holdfast.ClientClosedError, locks.acquire, lock())


@needs_server
class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def until(self, condition: Callable[[], bool]) -> None:
        await asyncio.to_thread(until, condition)

    def client(self, servers: Any = SERVER, **options: Any) -> holdfast.AsyncClient:
        return holdfast.AsyncClient(servers, token=TOKEN, **options)

    async def test_async_with_takes_and_releases(self) -> None:
        name = lock()
        async with self.client(owner="me") as locks:
            async with locks.acquire(name) as lease:
                self.assertEqual(owners(name), ["me"])
            self.assertFalse(lease.valid)
            lease = await locks.acquire(name)
            self.assertTrue(await lease.release())

    async def test_the_end_of_async_with_tells_of_a_loss(self) -> None:
        name = lock()
        async with self.client() as locks:
            with self.assertRaises(holdfast.LeaseLostError):
                async with locks.acquire(name) as lease:
                    await asyncio.to_thread(force, "default", name, lease.token)

    async def test_a_coroutine_can_be_called_back(self) -> None:
        name, told = lock(), asyncio.Event()

        async def lost(reason: holdfast.LostReason) -> None:
            await asyncio.sleep(0)
            told.set()

        async with self.client() as locks:
            lease = await locks.acquire(name, lease=1, on_lost=lost)
            await asyncio.to_thread(force, "default", name, lease.token)
            await asyncio.wait_for(told.wait(), LIMIT)

    async def test_work_ends_with_the_lease_it_runs_under(self) -> None:
        name = lock()

        async def work() -> str:
            await asyncio.sleep(0)
            return "done"

        async with self.client() as locks:
            with self.assertRaises(holdfast.LeaseLostError) as caught:
                async with locks.acquire(name, lease=1) as lease:
                    self.assertEqual(await lease.run(work()), "done")
                    await asyncio.to_thread(force, "default", name, lease.token)
                    await lease.run(asyncio.sleep(LIMIT))
            self.assertIs(caught.exception.reason, holdfast.LostReason.FORCED)
            async with locks.acquire(name) as lease:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(lease.run(asyncio.sleep(LIMIT)), 0.1)
                self.assertTrue(lease.valid)

    async def test_a_wait_that_is_cancelled_leaves_the_queue(self) -> None:
        name = lock()
        async with self.client() as locks, locks.acquire(name):
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(locks.try_acquire(name, wait=LIMIT), 0.7)
            await self.until(lambda: owners(name, "waiters") == [])

    async def test_who_waits_for_ever_gets_it(self) -> None:
        name = lock()
        async with self.client() as locks:
            lease = await locks.acquire(name)
            waiting = asyncio.ensure_future(locks.try_acquire(name, wait=None))
            await self.until(lambda: len(owners(name, "waiters")) == 1)
            await lease.release()
            self.assertTrue(await asyncio.wait_for(waiting, LIMIT))

    async def test_one_heartbeat_renews_all_leases(self) -> None:
        line = await Line().open()
        async with self.client(line.url) as locks:
            leases = await asyncio.gather(*(locks.acquire(lock(), wait=0, lease=9) for _ in range(40)))
            await self.until(lambda: line.sent.count(b'"lease_id"') >= 80)  # once when acquired, and once renewed
            self.assertTrue(all(lease.valid for lease in leases))
            self.assertLess(line.requests("/v2/locks/renew"), 20)
        line.close()

    async def test_tls_with_a_certificate_of_its_own(self) -> None:
        if shutil.which("openssl") is None:
            self.skipTest("openssl is not installed")
        with tempfile.TemporaryDirectory() as directory:
            cert, key = Path(directory, "cert.pem"), Path(directory, "key.pem")
            words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
            subprocess.run([*words.split(), "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
            tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            tls.load_cert_chain(cert, key)
            tls.load_verify_locations(cert)
            tls.verify_mode = ssl.CERT_REQUIRED
            line = await Line(tls).open()
            async with self.client(line.url, ca_file=cert, client_cert=cert, client_key=key) as locks:
                async with locks.acquire(lock()) as lease:
                    self.assertTrue(lease.valid)
            async with self.client(line.url) as locks:
                with self.assertRaisesRegex(holdfast.StoreUnusableError, "ca_file"):
                    await locks.try_acquire(lock())
            line.close()


class WithoutServerTest(unittest.IsolatedAsyncioTestCase):
    async def test_the_token_is_sent_and_never_shown(self) -> None:
        stub = await Stub(401, "application/problem+json", '{"code":"unauthorized","detail":"no"}').open()
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "token")
            file.write_text("hf_secret\n")
            async with holdfast.AsyncClient(stub.url, token_file=file) as locks:
                with self.assertRaises(holdfast.AccessRefusedError) as caught:
                    await locks.try_acquire("x")
                self.assertNotIn("hf_secret", repr(locks) + str(caught.exception))
        self.assertIn(b"Authorization: Bearer hf_secret\r\n", stub.requests[0])
        stub.close()

    async def test_an_outage_is_said_once_and_ends_in_a_loss(self) -> None:
        """Here without a server: a stub that grants once, and is gone."""
        name, lease_id = lock(), uuid.uuid4().hex
        granted = f'{{"lease_id":"{lease_id}","fencing_token":7,"lease_ms":2000}}'
        stub = await Stub(200, "application/json", granted).open()
        told: List[holdfast.LostReason] = []
        async with holdfast.AsyncClient(stub.url, timeout=0.5) as locks:
            with self.assertLogs("holdfast", "WARNING") as logs:
                sent = time.monotonic()
                lease = await locks.acquire(name, lease=2, lease_id=lease_id, on_lost=told.append)
                self.assertEqual(lease.token, 7)
                stub.close()
                while not told:
                    self.assertLess(time.monotonic(), sent + LIMIT)
                    await asyncio.sleep(0.01)
            self.assertEqual(told, [holdfast.LostReason.STORE_UNREACHABLE])
            self.assertEqual(len(logs.records), 1)

    def test_addresses_that_are_none_are_refused_without_showing_secrets(self) -> None:
        for wrong in ("", "host:8080", "ftp://a", "http://", "http://a b", "http://u:secret@host", "http://h?token=secret", "http://h:x"):
            with self.subTest(wrong), self.assertRaises(holdfast.InvalidRequestError) as caught:
                holdfast.Client(wrong)
            self.assertNotIn("secret", str(caught.exception))

    def test_options_that_are_wrong_are_refused(self) -> None:
        wrong: List[Dict[str, Any]] = [
            {"token": ""},
            {"token": "a\r\nb"},
            {"token": "a", "token_file": "b"},
            {"token_file": "/no/such/file"},
            {"ca_file": "/no/such/file"},
            {"client_key": "/no/such/file"},
            {"timeout": 0},
            {"timeout": float("nan")},
        ]
        for options in wrong:
            with self.subTest(options), self.assertRaises(holdfast.InvalidRequestError):
                holdfast.Client("http://127.0.0.1:1", **options)

    def test_times_that_are_none_are_refused(self) -> None:
        with holdfast.Client(dead()) as locks:
            for options in ({"wait": -1}, {"wait": float("nan")}, {"wait": 8 * 24 * 3600}, {"lease": float("inf")}, {"min_hold": -1}):
                with self.subTest(options), self.assertRaises(holdfast.InvalidRequestError):
                    locks.acquire("x", **options)


if __name__ == "__main__":
    unittest.main()
