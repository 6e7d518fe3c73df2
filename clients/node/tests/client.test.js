// What the script of ../conformance cannot say, because it is Node's: signals, `await using`, TLS, and what goes over the wire.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  AccessRefusedError,
  Client,
  InvalidRequestError,
  LeaseLostError,
  LockBusyError,
  StoreUnavailableError,
  StoreUnusableError,
} from "../index.js";
import { Heartbeat, Hold } from "../lib/heartbeat.js";
import { deadline, grantedAfter, later, msUntil, now } from "../lib/time.js";
import { deadAddress } from "./line.js";
import { PATIENCE_MS, address, awaitLock, call, connect, force, skip, token, unique, within } from "./server.js";

/** Not one that blocks: leases are renewed meanwhile. */
const runProgram = promisify(execFile);

const aborted = (signal) =>
  within(new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", resolve))), "the end of the signal");

const waiters = (name, count) => awaitLock("node", name, (lock) => lock.waiters.length === count);

/** A server in front of the real one; `look` sees every request, may wait, and may answer it itself. */
async function relay(t, look, tls) {
  const handle = async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    if (await look(request, body, response)) return;
    const headers = { ...request.headers, host: new URL(address).host };
    const onward = http.request(address + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  };
  const handled = (request, response) => handle(request, response).catch(() => response.destroy());
  const server = tls ? https.createServer(tls, handled) : http.createServer(handled);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${tls ? "https" : "http"}://127.0.0.1:${server.address().port}`;
}

/** A process of its own that does this and then prints a value. */
function program(...lines) {
  const value = lines.pop();
  const text = `
      import { Client } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
      const locks = new Client({ servers: process.env.HOLDFAST_SERVER, token: process.env.HOLDFAST_TOKEN || undefined, namespace: "node" });
      ${lines.join("\n")}
      console.log(${value});`;
  return runProgram(process.execPath, ["--input-type=module", "-e", text], { timeout: PATIENCE_MS });
}

describe("leases", { concurrency: 64, skip }, () => {
  it("the signal of a lease is aborted when it is lost", async (t) => {
    const lease = await connect(t).acquire(unique("forced"), { leaseMs: 3000 });
    assert.ok(lease.valid && !lease.signal.aborted && lease.lost === undefined && lease.remainingMs <= 3000);
    const told = new Promise((resolve) => lease.onLost(resolve));

    await force(lease);

    await aborted(lease.signal);
    assert.ok(lease.signal.reason instanceof LeaseLostError);
    assert.equal((await told).reason, "forced");
    assert.equal(lease.lost.reason, "forced");
    assert.ok(!lease.valid && lease.remainingMs === 0);
    assert.equal(await lease.release(), false);
    assert.equal((await new Promise((resolve) => lease.onLost(resolve))).reason, "forced", "who asks later is told, too");
  });

  it("releasing twice is harmless, and is no loss", async (t) => {
    const lease = await connect(t).acquire(unique("twice"));
    assert.deepEqual(await Promise.all([lease.release(), lease.release()]), [true, true]);
    assert.ok(!lease.valid && lease.lost === undefined && !lease.signal.aborted);
  });

  it("`await using` releases", { skip: !Symbol.asyncDispose && "this Node has no Symbol.asyncDispose" }, async (t) => {
    const locks = connect(t);
    const name = unique("using");
    const lease = await locks.acquire(name);
    await lease[Symbol.asyncDispose]();
    const again = await locks.tryAcquire(name, { leaseMs: 2000 });
    await force(again);
    await assert.rejects(again[Symbol.asyncDispose](), LeaseLostError, "the work may not have been alone");
    const other = new Client({ servers: address, token });
    await other[Symbol.asyncDispose]();
    await assert.rejects(other.acquire(name), { code: "client-closed" });
  });

  it("whoever stops waiting gives up the place", async (t) => {
    let left;
    const leaving = new Promise((resolve) => (left = resolve));
    const front = await relay(t, (request, body) => {
      if (request.url === "/v2/locks/release" && body.includes('"unused":true')) left(); // else the place would be kept for 15 s
    });
    const locks = connect(t, { servers: front });
    const name = unique("stopped");
    const holder = await locks.acquire(name);
    const stop = new AbortController();
    let place;
    const queued = new Promise((resolve) => (place = resolve));
    const asked = locks.acquire(name, {
      waitMs: Infinity,
      signal: stop.signal,
      onQueued: (position, holders) => place([position, holders.length]),
    });
    assert.deepEqual(await queued, [1, 1]);
    await waiters(name, 1);

    stop.abort(new Error("enough"));

    await assert.rejects(asked, { message: "enough" });
    await within(leaving, "leaving the queue");
    await waiters(name, 0);
    await holder.release();
    await assert.rejects(locks.tryAcquire(name, { signal: stop.signal }), { message: "enough" });
  });

  it("a signal that aborts later has no effect on what was granted", async (t) => {
    const stop = new AbortController();
    const lease = await connect(t).acquire(unique("later"), { signal: stop.signal });
    stop.abort();
    assert.ok(lease.valid && !lease.signal.aborted);
    assert.equal(await lease.release(), true);
  });

  it("a lock that was waited for in vain says who holds it", async (t) => {
    const locks = connect(t);
    const name = unique("vain");
    const holder = await locks.acquire(name, { owner: "worker-7" });
    await assert.rejects(locks.acquire(name, { waitMs: 500 }), (e) => {
      assert.ok(e instanceof LockBusyError);
      assert.equal(e.code, "held");
      assert.equal(e.holders[0].owner, "worker-7");
      return true;
    });
    await waiters(name, 0);
    await holder.release();
  });

  it("all leases are renewed with one request", async (t) => {
    const count = 30;
    let whole;
    const batch = new Promise((resolve) => (whole = resolve));
    const front = await relay(t, (request, body) => {
      if (request.url === "/v2/locks/renew" && JSON.parse(body).leases.length === count) whole();
    });
    const locks = connect(t, { servers: [`${front}/`] });
    const prefix = unique("batch");
    const leases = await Promise.all(Array.from({ length: count }, (_, i) => locks.acquire(`${prefix}-${i}`, { leaseMs: 6000 })));

    await within(batch, "a request that renews all of them");

    assert.ok((await Promise.all(leases.map((lease) => lease.release()))).every((held) => held));
  });

  it("a lease that may not be renewed does not take the others along", async (t) => {
    const bad = unique("bad");
    const front = await relay(t, (request, body, response) => {
      if (request.url !== "/v2/locks/renew" || !body.includes(bad)) return false;
      response.writeHead(403, { "Content-Type": "application/problem+json" });
      response.end('{"code":"forbidden","detail":"no role here","status":403}');
      return true;
    });
    const locks = connect(t, { servers: front });
    const one = await locks.acquire(unique("good"), { leaseMs: 6000 });
    const two = await locks.acquire(bad, { leaseMs: 6000 });
    const three = await locks.acquire(unique("good"), { leaseMs: 6000 });

    await aborted(two.signal);

    assert.equal(two.lost.reason, "store_unreachable");
    assert.ok(one.valid && three.valid);
    await one.release();
    await three.release();
  });

  it("a lease counts from before its request was sent", async (t) => {
    const [leaseMs, slowMs] = [15_000, 1_000];
    const front = await relay(t, () => sleep(slowMs));
    const lease = await connect(t, { servers: front }).acquire(unique("slow"), { leaseMs });
    let left = lease.remainingMs;
    assert.ok(left <= leaseMs - slowMs, `granted: ${left}`);
    const end = Date.now() + PATIENCE_MS;
    for (let before = Infinity; left <= before; left = lease.remainingMs) {
      before = left;
      assert.ok(left > 0 && Date.now() < end, `it is not renewed: ${lease.lost}`);
      await sleep(10);
    }
    assert.ok(left <= leaseMs - slowMs, `renewed: ${left}`);
    await lease.release();
  });

  it("a grant that is heard too late is asked for again", async (t) => {
    let asked = 0;
    const servers = await relay(t, async (request) => {
      if (request.url === "/v2/locks/acquire" && asked++ === 0) await sleep(1000);
    });
    const lease = await connect(t, { servers, timeoutMs: PATIENCE_MS }).tryAcquire(unique("heard"), { leaseMs: 800, renew: false });
    assert.ok(asked >= 2 && lease.token > 0);
  });

  it("run releases however the work ends, and tells of a loss", async (t) => {
    const locks = connect(t);
    const name = unique("run");
    const free = async () => (await locks.tryAcquire(name)).release();

    assert.equal(
      await locks.run(name, async (lease) => {
        await assert.rejects(locks.tryAcquire(name), LockBusyError);
        return lease.token > 0 && "done";
      }),
      "done",
    );
    await free();
    await assert.rejects(
      locks.run(name, { reason: "a test" }, () => {
        throw new Error("broken");
      }),
      { message: "broken" },
    );
    await free();
    await assert.rejects(
      locks.run(name, { leaseMs: 2000 }, async (lease) => {
        await force(lease);
        await aborted(lease.signal);
      }),
      LeaseLostError,
    );
  });

  it("a program that only waits for the loss of its lease hears of it", async () => {
    const name = unique("alone");
    const waits = ["lease.signal.addEventListener('abort', resolve)", "lease.onLost(resolve)"];
    const programs = waits.map((wait, i) =>
      program(
        `const lease = await locks.acquire("${name}-${i}", { leaseMs: 3000 });`,
        `await new Promise((resolve) => ${wait});`,
        "lease.lost.reason",
      ),
    );
    for (let i = 0; i < programs.length; i++) {
      await awaitLock("node", `${name}-${i}`, (lock) => lock.holders.length === 1);
      const { holders } = await call("GET", `/v2/lock?namespace=node&name=${name}-${i}`);
      await force({ namespace: "node", name: `${name}-${i}`, token: holders[0].fencing_token });
    }
    for (const one of programs) assert.equal((await one).stdout, "forced\n");
  });

  it("a program ends once its leases are released, and with leases that do not keep it", async () => {
    const kept = `const lease = await locks.acquire("${unique("kept")}");`;
    const left = `const other = await locks.acquire("${unique("left")}");`;
    const { stdout } = await program(kept, left, "other.unref(); await lease.release();", "[lease.valid, other.valid]");
    assert.equal(stdout, "[ false, true ]\n");
    const told = (name, how) =>
      program(
        `const lease = await locks.acquire("${unique(name)}", { leaseMs: 500, renew: false });`,
        how,
        "lease.onLost((e) => console.log(e.reason)) ?? 'held'",
      );
    assert.equal((await told("unheard", "lease.unref();")).stdout, "held\n");
    assert.equal((await told("heard", "lease.unref().ref();")).stdout, "held\nexpired\n");
  });

  it("the token is sent with every request", async (t) => {
    const servers = await relay(t, (request, _, response) => {
      if (request.headers.authorization === "Bearer hf_right") {
        delete request.headers.authorization;
        if (token) request.headers.authorization = `Bearer ${token}`;
        return false;
      }
      response.writeHead(401, { "Content-Type": "application/problem+json" });
      response.end('{"code":"unauthorized","detail":"Send a valid token","status":401}');
      return true;
    });
    assert.equal(await (await connect(t, { servers, token: "hf_right" }).acquire(unique("token"))).release(), true);
    await assert.rejects(connect(t, { servers, token: "hf_wrong" }).acquire(unique("token")), AccessRefusedError);
  });

  it("a token that is not valid is refused", { skip: !token && "HOLDFAST_TOKEN is not set: this server wants none" }, async (t) => {
    for (const wrong of [undefined, "hf_wrong"]) {
      await assert.rejects(connect(t, { token: wrong }).tryAcquire(unique("refused")), (e) => {
        assert.ok(e instanceof AccessRefusedError);
        assert.equal(e.code, "unauthorized");
        return true;
      });
    }
  });

  it("TLS: who is trusted, and who is shown", async (t) => {
    const dir = mkdtempSync(path.join(tmpdir(), "holdfast-"));
    t.after(() => rmSync(dir, { recursive: true }));
    const [keyFile, certFile] = ["key.pem", "cert.pem"].map((name) => path.join(dir, name));
    try {
      await runProgram(
        "openssl",
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2"].concat(
          ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out", certFile],
        ),
      );
    } catch {
      t.skip("openssl, which makes the certificate, is missing");
      return;
    }
    const [key, cert] = [keyFile, certFile].map((file) => readFileSync(file));
    let shown;
    const look = (request) => {
      shown = request.socket.getPeerCertificate().subject?.CN;
    };
    const servers = await relay(t, look, { key, cert, requestCert: true, rejectUnauthorized: false });

    await assert.rejects(connect(t, { servers }).tryAcquire(unique("tls")), (e) => e instanceof StoreUnusableError && /\(ca\)/.test(e.message));
    assert.equal(await (await connect(t, { servers, ca: cert }).acquire(unique("tls"))).release(), true);
    assert.equal(shown, undefined);
    assert.equal(await (await connect(t, { servers, ca: cert, cert, key }).acquire(unique("tls"))).release(), true);
    assert.equal(shown, "127.0.0.1");
    const other = await deadAddress();
    const both = connect(t, { servers: [servers, other], timeoutMs: 500 });
    await assert.rejects(both.tryAcquire(unique("tls")), StoreUnavailableError);
  });
});

describe("without a server", () => {
  it("what is wrong with options is said without secrets", () => {
    for (const wrong of [
      undefined,
      {},
      { servers: [] },
      { servers: Array(17).fill("http://locks.example.com") },
      { servers: "locks.example.com" },
      { servers: "ftp://locks.example.com" },
      { servers: "http://any:s3cret@locks.example.com" },
      { servers: "http://locks.example.com?token=s3cret" },
      { servers: "http://locks.example.com", token: "s3cret\n" },
      { servers: "http://locks.example.com", tokn: "s3cret" },
    ]) {
      assert.throws(
        () => new Client(wrong),
        (e) => e instanceof InvalidRequestError && !e.message.includes("s3cret"),
        JSON.stringify(wrong),
      );
    }
  });

  it("an option that is not known is refused, not passed over", async (t) => {
    const locks = new Client({ servers: "http://127.0.0.1:1" });
    t.after(() => locks.close());
    await assert.rejects(locks.acquire("x", { lease_ms: 5 }), InvalidRequestError);
  });

  it("an answer that comes after the deadline does not bring a lease back", async () => {
    const since = now();
    const hold = new Hold({ namespace: "node", name: "late" }, "id", 1, 100, since, true);
    let given;
    const givenBack = new Promise((resolve) => (given = resolve));
    const renew = async () => {
      while (msUntil(hold.until) > 0); // as if the process had been paused
      return { sent: now(), answer: { results: [{ lease_id: "id", outcome: "renewed", lease_ms: 100 }] } };
    };
    const heartbeat = new Heartbeat(renew, given);
    heartbeat.keep(hold);
    const keepsAlive = setTimeout(() => {}, PATIENCE_MS);
    assert.equal(await within(givenBack, "giving it back"), hold);
    clearTimeout(keepsAlive);
    assert.equal(hold.lost.reason, "store_unreachable");
    assert.ok(!heartbeat.look(hold) && hold.abort.signal.aborted);
  });

  it("the local deadline is on both clocks", () => {
    const at = now();
    assert.equal(Math.round(deadline(at, 10_000).mono - at.mono), 9_950);
    assert.equal(Math.round(deadline(at, 100).mono - at.mono), 98);
    assert.equal(Math.round(grantedAfter(at, 1000).mono - at.mono), 995);
    assert.equal(Math.round(grantedAfter(at, -1000).mono - at.mono), -1000);
    assert.ok(msUntil(later(at, 5000)) > 0);
    assert.ok(msUntil({ mono: at.mono + 5000, wall: at.wall - 3_600_000 }) < 0, "the machine slept");
    assert.ok(msUntil({ mono: at.mono - 1, wall: at.wall + 3_600_000 }) < 0, "the clock was set back");
  });
});
