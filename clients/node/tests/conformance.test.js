// The script of ../conformance, run against the server that HOLDFAST_SERVER names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Client, HoldfastError, LockBusyError } from "../index.js";
import { Line, deadAddress } from "./line.js";
import { address, awaitLock, force, skip, token, unique, within } from "./server.js";

const file = process.env.HOLDFAST_CONFORMANCE ?? new URL("../../conformance/conformance.json", import.meta.url);
const script = JSON.parse(readFileSync(file, "utf8"));
const { version, namespace, lease_ms: leaseMs, limit_ms: limitMs, stubs, cases, ...unknown } = script;
assert.equal(version, 1);
assert.deepEqual(unknown, {}, "nothing is passed over");
assert.ok(cases.length > 0);

const ACQUIRE = {
  lease_ms: "leaseMs",
  wait_ms: "waitMs",
  ...Object.fromEntries(["renew", "mode", "limit", "path", "owner", "reason", "metadata", "namespace"].map((name) => [name, name])),
};

/** One case. */
class Run {
  #urls = { server: address };
  #clients = new Map();
  #leases = new Map();
  #started = new Map();
  #line;
  #open = [];

  constructor(entries, suffix) {
    this.entries = entries;
    this.suffix = suffix;
  }

  async prepare() {
    for (const name of Object.values(this.entries).flatMap((entry) => entry.servers)) this.#urls[name] ??= await this.#serve(name);
  }

  async #serve(name) {
    if (name === "dead") return deadAddress();
    if (name === "line") {
      this.#line = await Line.to(address);
      this.#open.push(this.#line);
      return this.#line.url;
    }
    const stub = stubs[name];
    assert.ok(stub, `there is no stub ${name}`);
    const running = http.createServer((request, response) => {
      request.resume();
      request.on("end", () => response.writeHead(stub.status, { "Content-Type": stub.type }).end(stub.body));
    });
    await new Promise((resolve) => running.listen(0, "127.0.0.1", resolve));
    this.#open.push(running);
    return `http://127.0.0.1:${running.address().port}`;
  }

  #client(name) {
    if (!this.#clients.has(name)) {
      const { servers = ["server"], timeout_ms: timeoutMs, ...more } = this.entries[name] ?? {};
      assert.deepEqual(more, {});
      this.#clients.set(name, new Client({ servers: servers.map((one) => this.#urls[one]), token, owner: name, namespace, timeoutMs }));
    }
    return this.#clients.get(name);
  }

  async end() {
    for (const client of this.#clients.values()) await client.close();
    for (const server of this.#open) server.close();
    for (const [name, { told }] of this.#leases) assert.ok(told.length <= 1, `the loss of ${name} was told ${told.length} times: ${told}`);
  }

  // ---- steps

  acquire({ client, lock, as, start, expect, ...given }) {
    const options = { leaseMs };
    for (const [name, value] of Object.entries(given)) {
      assert.ok(ACQUIRE[name], `acquire has no ${name}`);
      options[ACQUIRE[name]] = value;
    }
    const locks = this.#client(client);
    const asked = (options.waitMs ? locks.acquire(lock + this.suffix, options) : locks.tryAcquire(lock + this.suffix, options)).then(
      (lease) => {
        const told = [];
        const first = new Promise((resolve) => lease.onLost((e) => (told.push(e.reason), resolve(e.reason))));
        this.#leases.set(as, { lease, told, first });
        return { outcome: "granted", lease };
      },
      (error) => {
        assert.ok(error instanceof HoldfastError, error);
        return { outcome: error instanceof LockBusyError ? "busy" : "error", error };
      },
    );
    if (!start) return asked.then((got) => this.#compare(expect, got));
    this.#started.set(start, asked);
  }

  async join({ of, expect, ...more }) {
    assert.deepEqual(more, {});
    this.#compare(expect, await within(this.#started.get(of), of, limitMs));
  }

  #compare({ outcome, error, holders, token_greater_than: before, valid, ...more }, got) {
    assert.deepEqual(more, {});
    assert.equal(got.outcome, outcome, got.error);
    if (error) assert.ok([error].flat().includes(spelled(got.error)), `${spelled(got.error)}, not ${error}: ${got.error}`);
    if (holders) assert.ok(matches(holders, got.error.holders, false), JSON.stringify(got.error.holders));
    if (before) assert.ok(got.lease.token > this.#leases.get(before).lease.token, "the token did not grow");
    if (valid !== undefined) assert.equal(got.lease.valid, valid);
  }

  async release({ lease, expect: { outcome, ...more } }) {
    assert.deepEqual(more, {});
    const got = await this.#leases.get(lease).lease.release().then(
      (held) => (held ? "released" : "not-held"),
      () => "error",
    );
    assert.equal(got, outcome);
  }

  check({ lease, expect: { valid, lost, ...more } }) {
    assert.deepEqual(more, {});
    const known = this.#leases.get(lease);
    if (valid !== undefined) assert.equal(known.lease.valid, valid, "valid");
    if (lost !== undefined) assert.equal(known.told.length > 0, lost, "lost");
  }

  async lost({ lease, expect: { reason, ...more } }) {
    assert.deepEqual(more, {});
    const got = await within(this.#leases.get(lease).first, "the loss", limitMs);
    assert.ok([reason].flat().includes(got), `lost because ${got}, not ${reason}`);
  }

  force({ lease }) {
    return force(this.#leases.get(lease).lease);
  }

  await({ lock, holders, waiters, ...more }) {
    assert.deepEqual(more, {});
    const isSo = (seen) => (!holders || matches(holders, seen.holders, false)) && (!waiters || matches(waiters, seen.waiters, true));
    return awaitLock(namespace, lock + this.suffix, isSo, limitMs);
  }

  pause({ leases }) {
    return sleep(leases * leaseMs);
  }

  line({ state }) {
    this.#line.set(state);
  }

  close({ client }) {
    return this.#client(client).close();
  }
}

const STEPS = ["acquire", "join", "release", "check", "lost", "force", "await", "pause", "line", "close"];

/** The name of the class, as the script spells it. */
function spelled(error) {
  return error.name.replace(/Error$/, "").replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
}

/** Whether there are as many, each with at least these fields. */
function matches(expected, seen, inOrder) {
  const left = [...seen];
  return (
    expected.length === seen.length &&
    expected.every((one) => {
      const found = left.findIndex((other) => Object.entries(one).every(([name, value]) => isDeepStrictEqual(other[name], value)));
      if (found < 0 || (inOrder && found > 0)) return false;
      left.splice(found, 1);
      return true;
    })
  );
}

describe("conformance", { concurrency: 64, skip }, () => {
  cases.forEach(({ name, steps, clients = {}, ...more }, number) => {
    it(name, async () => {
      assert.deepEqual(more, {});
      const run = new Run(clients, unique(`-${number}`));
      await run.prepare();
      try {
        for (const [index, { do: what, ...step }] of steps.entries()) {
          assert.ok(STEPS.includes(what), `unknown step ${what}`);
          try {
            await run[what](step);
          } catch (e) {
            e.message = `step ${index + 1} (${what}): ${e.message}`;
            throw e;
          }
        }
      } finally {
        await run.end();
      }
    });
  });
});
