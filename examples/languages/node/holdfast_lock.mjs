// A Holdfast lock with nothing but Node 20 or newer. To try it: node holdfast_lock.mjs NAME SECONDS
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const server = process.env.HOLDFAST_SERVER ?? "http://127.0.0.1:8080";
const secret = process.env.HOLDFAST_TOKEN; // if the server wants one
const lease = Number(process.env.HOLDFAST_LEASE_SECONDS ?? 30) * 1000;
const now = () => performance.now(); // a monotonic clock: nobody sets it

/** Runs work(lock) under the lock. When lock.signal is aborted, the lock is lost or you stopped it: stop working. */
export async function withLock(name, work, { namespace = "default", reason = "", signal } = {}) {
  const key = { namespace, name };
  const ended = new AbortController();
  signal?.addEventListener("abort", () => ended.abort(signal.reason));
  let leaseId = randomUUID(); // the same in every retry, and known to nobody else
  let token, deadline, watchdog, open = true;

  const held = (leaseMs, since) => { // the last sixth of the lease is for stopping: when it ends, nothing may run
    deadline = since + (leaseMs * 5) / 6;
    clearTimeout(watchdog); // it ends the work whatever becomes of the renewals
    watchdog = setTimeout(() => ended.abort("lost"), deadline - now());
  };
  const tell = async (what, timeout) => {
    const { status, answer, sent } = await call(what, { leases: [{ ...key, lease_id: leaseId }] }, timeout);
    return { sent, ...(status === 200 ? answer.results[0] : { outcome: "unknown" }) };
  };
  const keep = async () => {
    while (open) {
      const { outcome, lease_ms, sent } = await tell("renew", lease / 6);
      if (open && outcome === "renewed") held(lease_ms, sent);
      if (outcome === "lost") return ended.abort("lost"); // it expired, or an operator ended it
      await sleep(outcome === "renewed" ? lease / 3 : lease / 20, null, { ref: false });
    }
  };
  try {
    for (let wait = 500; !token; wait = 20_000) { // soon says who is ahead of us; then waits longer
      const wish = { ...key, owner: `node@${hostname()}`, reason, lease_id: leaseId, lease_ms: lease, wait_ms: wait };
      const { status, answer, headers, sent } = await call("acquire", wish, 30_000, ended.signal);
      ended.signal.throwIfAborted();
      if (status === 200) {
        token = answer.fencing_token;
        held(answer.lease_ms, sent + Number(headers.get("Lease-Waited-Ms")));
      } else if (status === 202) { // whoever asks again within 15 seconds keeps the place
        console.log(`waiting, place ${answer.position}, behind ${answer.holders.map((h) => h.owner)}`);
      } else if (status === 409 && answer.code === "lease-lost") { // granted, but the answer was lost on the way
        leaseId = randomUUID();
      } else if (status === 429 || status === 503) { // busy, or out of reach: the same id asks for the same again
        console.error("trying again:", answer.detail);
        await sleep(1000);
      } else {
        throw new Error(answer.detail);
      }
    }
    keep();
    return await work({ token, signal: ended.signal, remaining: () => (ended.signal.aborted ? 0 : deadline - now()) });
  } finally {
    open = false;
    clearTimeout(watchdog);
    if (ended.signal.reason !== "lost") await tell("release", 5000); // leaves the queue, too; else the lease ends by itself
  }
}

async function call(what, body, timeout, signal = AbortSignal.timeout(timeout)) {
  const headers = { "Content-Type": "application/json", ...(secret && { Authorization: `Bearer ${secret}` }) };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const sent = now();
  try {
    const reply = await fetch(`${server}/v2/locks/${what}`, { method: "POST", headers, body: JSON.stringify(body), signal: limit });
    return { status: reply.status, answer: await reply.json(), headers: reply.headers, sent };
  } catch (e) {
    return { status: 503, answer: { detail: e.message }, sent };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"]) process.once(name, () => stop.abort("stopped"));
  try {
    await withLock(process.argv[2], async (lock) => {
      console.log("granted, fencing token", lock.token);
      // Your work; all it writes takes lock.token along. After a pause the signal may come late: remaining() does not.
      await sleep(Number(process.argv[3]) * 1000, null, { signal: lock.signal });
    }, { reason: "trying Node", signal: stop.signal });
    console.log("released");
  } catch (e) {
    console.log(stop.signal.aborted ? "stopped" : e.name === "AbortError" ? "lost, stopped working" : e.message);
    process.exitCode = stop.signal.aborted ? 143 : 76;
  }
}
