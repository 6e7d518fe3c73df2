"""Runs clients/conformance/conformance.json with both clients. How it is to be read: the README beside it."""

from __future__ import annotations

import asyncio
import json
import os
import time
import traceback
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional

from surroundings import SERVER, TOKEN, Line, Stub, dead, force, look, needs_server

import holdfast

FILE = Path(__file__).resolve().parents[2] / "conformance" / "conformance.json"
STEPS = {"acquire", "join", "release", "check", "lost", "force", "await", "pause", "line", "close"}
ASKED = {"mode", "limit", "path", "owner", "reason", "metadata", "namespace", "renew"}
KNOWN = STEPS | ASKED | {"do", "client", "lock", "as", "lease_ms", "wait_ms", "start", "of", "lease", "holders", "waiters", "leases", "state", "expect"}
EXPECTED = {"outcome", "error", "holders", "token_greater_than", "valid", "lost", "reason"}


class Threads:
    """The client for threads, called from this loop."""

    client = holdfast.Client

    async def do(self, work: Any, *words: Any, **more: Any) -> Any:
        return await asyncio.to_thread(work, *words, **more)


class Coroutines:
    """The client for asyncio."""

    client = holdfast.AsyncClient

    async def do(self, work: Any, *words: Any, **more: Any) -> Any:
        return await work(*words, **more)


class Case:
    def __init__(self, file: Dict[str, Any], number: int, kind: Any) -> None:
        self.file, self.case, self.kind = file, file["cases"][number], kind
        self.suffix = f"-{number}-{uuid.uuid4().hex[:8]}"
        self.clients: Dict[str, Any] = {}
        self.leases: Dict[str, Any] = {}
        self.told: Dict[str, List[holdfast.LostReason]] = {}
        self.started: Dict[str, asyncio.Task[Any]] = {}
        self.stubs: List[Stub] = []
        self.line: Optional[Line] = None

    async def run(self) -> None:
        step: Dict[str, Any] = {}
        try:
            for step in self.case["steps"]:
                unknown = (set(step) - KNOWN) | (set(step.get("expect", {})) - EXPECTED)
                assert not unknown, f"this runner does not know {unknown}"
                await getattr(self, "step_" + step["do"])(step)
            twice = {name: told for name, told in self.told.items() if len(told) > 1}
            assert not twice, f"told more than once: {twice}"
        except Exception as e:
            raise AssertionError(f"{self.case['name']}: {step}: {e!r}") from e
        finally:
            for task in self.started.values():
                task.cancel()
            for client in self.clients.values():
                await self.kind.do(client.close)
            for stub in self.stubs:
                stub.close()
            if self.line is not None:
                self.line.close()

    # ---- around it

    async def client(self, name: str) -> Any:
        if name not in self.clients:
            wanted = self.case.get("clients", {}).get(name, {})
            servers = [await self.server(server) for server in wanted.get("servers", ["server"])]
            more = {"timeout": wanted["timeout_ms"] / 1000} if "timeout_ms" in wanted else {}
            self.clients[name] = self.kind.client(servers, owner=name, token=TOKEN, namespace=self.file["namespace"], **more)
        return self.clients[name]

    async def server(self, name: str) -> str:
        if name == "server":
            return SERVER
        if name == "dead":
            return dead()
        if name == "line":
            return (await self.the_line()).url
        stub = await Stub(**self.file["stubs"][name]).open()
        self.stubs.append(stub)
        return stub.url

    async def the_line(self) -> Line:
        if self.line is None:
            self.line = await Line().open()
        return self.line

    async def until(self, condition: Any, what: str) -> None:
        end = time.monotonic() + self.file["limit_ms"] / 1000
        while not await condition():
            assert time.monotonic() < end, f"not in time: {what}"
            await asyncio.sleep(0.02)

    # ---- steps

    async def step_acquire(self, step: Dict[str, Any]) -> None:
        work = self.acquire(step)
        if "start" in step:
            self.started[step["start"]] = asyncio.ensure_future(work)
        else:
            self.compare(await work, step["expect"])

    async def acquire(self, step: Dict[str, Any]) -> Dict[str, Any]:
        name, told = step["as"], []  # type: ignore[var-annotated]
        options = {key: step[key] for key in ASKED if key in step}
        options["lease"] = step.get("lease_ms", self.file["lease_ms"]) / 1000
        client = await self.client(step["client"])
        try:
            taken = await self.kind.do(
                client.try_acquire, step["lock"] + self.suffix, wait=step.get("wait_ms", 0) / 1000, on_lost=told.append, **options
            )
        except holdfast.HoldfastError as e:
            return {"outcome": "error", "error": e.code, "message": str(e)}
        if not taken:
            return {"outcome": "busy", "holders": [vars(holder) for holder in taken.holders]}
        self.leases[name], self.told[name] = taken, told
        return {"outcome": "granted", "token": taken.token, "valid": taken.valid}

    async def step_join(self, step: Dict[str, Any]) -> None:
        self.compare(await asyncio.wait_for(self.started[step["of"]], self.file["limit_ms"] / 1000), step["expect"])

    async def step_release(self, step: Dict[str, Any]) -> None:
        try:
            held = await self.kind.do(self.leases[step["lease"]].release)
            self.compare({"outcome": "released" if held else "not-held"}, step["expect"])
        except holdfast.HoldfastError as e:
            self.compare({"outcome": "error", "error": e.code}, step["expect"])

    async def step_check(self, step: Dict[str, Any]) -> None:
        lease = self.leases[step["lease"]]
        self.compare({"valid": lease.valid, "lost": bool(self.told[step["lease"]])}, step["expect"])

    async def step_lost(self, step: Dict[str, Any]) -> None:
        told = self.told[step["lease"]]

        async def heard() -> bool:
            return bool(told)

        await self.until(heard, "the callback for the loss")
        self.compare({"reason": str(told[0])}, step["expect"])

    async def step_force(self, step: Dict[str, Any]) -> None:
        lease = self.leases[step["lease"]]
        await asyncio.to_thread(force, lease.namespace, lease.name, lease.token)

    async def step_await(self, step: Dict[str, Any]) -> None:
        seen: Dict[str, Any] = {}

        async def there() -> bool:
            seen.update(await asyncio.to_thread(look, self.file["namespace"], step["lock"] + self.suffix))
            holders = "holders" not in step or alike_in_any_order(seen["holders"], step["holders"])
            waiters = "waiters" not in step or alike(seen["waiters"], step["waiters"])
            return holders and waiters

        try:
            await self.until(there, "holders and waiters")
        except AssertionError as e:
            raise AssertionError(f"{e}, but {seen}") from None

    async def step_pause(self, step: Dict[str, Any]) -> None:
        await asyncio.sleep(step["leases"] * self.file["lease_ms"] / 1000)

    async def step_line(self, step: Dict[str, Any]) -> None:
        (await self.the_line()).change(step["state"])

    async def step_close(self, step: Dict[str, Any]) -> None:
        await self.kind.do(self.clients[step["client"]].close)

    # ---- what is expected

    def compare(self, seen: Dict[str, Any], expected: Dict[str, Any]) -> None:
        for name, value in expected.items():
            if name == "token_greater_than":
                assert seen["token"] > self.leases[value].token, f"token {seen['token']} is not above that of '{value}'"
            elif name == "holders":
                assert alike_in_any_order(seen["holders"], value), f"expected {expected}, but {seen}"
            elif isinstance(value, list):
                assert seen.get(name) in value, f"expected {expected}, but {seen}"
            else:
                assert seen.get(name) == value, f"expected {expected}, but {seen}"


def alike(seen: List[Dict[str, Any]], expected: List[Dict[str, Any]]) -> bool:
    """As many, in this order, each with at least these fields."""
    return len(seen) == len(expected) and all(
        all(one.get(name) == value for name, value in wanted.items()) for one, wanted in zip(seen, expected)
    )


def alike_in_any_order(seen: List[Dict[str, Any]], expected: List[Dict[str, Any]]) -> bool:
    by = lambda one: str(one.get("owner"))  # noqa: E731
    return alike(sorted(seen, key=by), sorted(expected, key=by))


@needs_server
class ConformanceTest(unittest.TestCase):
    def test_both_clients_do_what_every_client_must_do(self) -> None:
        """All cases at once: they mostly wait."""
        file = json.loads(FILE.read_text(encoding="utf-8"))
        self.assertEqual(file["version"], 1)
        only = os.environ.get("HOLDFAST_CASE", "")
        runs = [(i, kind) for i, case in enumerate(file["cases"]) if only in case["name"] for kind in (Threads(), Coroutines())]

        async def all_at_once() -> List[Optional[BaseException]]:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(200))
            return await asyncio.gather(*(Case(file, i, kind).run() for i, kind in runs), return_exceptions=True)

        for (i, kind), failure in zip(runs, asyncio.run(all_at_once())):
            with self.subTest(file["cases"][i]["name"], client=kind.client.__name__):
                if failure is not None:
                    self.fail("".join(traceback.format_exception(type(failure), failure, failure.__traceback__)))


if __name__ == "__main__":
    unittest.main()
