// The real server of these tests, and calls to it that are not made by the client.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../index.js";

export const address = process.env.HOLDFAST_SERVER?.replace(/\/+$/, "");
export const token = process.env.HOLDFAST_TOKEN || undefined;

/** Why tests are skipped; false if they are not. */
export const skip = address ? false : "HOLDFAST_SERVER does not name a server";

export const PATIENCE_MS = 60_000;

export const unique = (name) => `${name}-${Math.random().toString(36).slice(2, 10)}`;

export function connect(t, options = {}) {
  const locks = new Client({ servers: address, token, namespace: "node", ...options });
  t.after(() => locks.close());
  return locks;
}

export async function call(method, path, body) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const reply = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`);
  return JSON.parse(text);
}

export function force({ namespace, name, token: expected }) {
  return call("POST", "/v2/locks/force-unlock", { namespace, name, fencing_token: expected, reason: "a test" });
}

/** Looks at the lock until it is so. */
export async function awaitLock(namespace, name, isSo, limitMs = PATIENCE_MS) {
  const end = Date.now() + limitMs;
  while (true) {
    const lock = await call("GET", `/v2/lock?${new URLSearchParams({ namespace, name })}`);
    if (isSo(lock)) return;
    if (Date.now() > end) throw new Error(`the lock is still ${JSON.stringify(lock)}`);
    await sleep(50);
  }
}

/** Waits for something with a limit. */
export async function within(promise, what, limitMs = PATIENCE_MS) {
  const stop = new AbortController();
  const late = sleep(limitMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what} does not come`);
  });
  late.catch(() => {}); // stopped
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}
