import { performance } from "node:perf_hooks";

/** Part of a lease its holder does not rely on: covers the drift of its clock against the server's. */
const MARGIN = 200;
/** For short leases: a check and the act it guards are not the same instant. */
const LEAST_MARGIN_MS = 2;
/** Renewals are never further apart than this, however long the lease. */
const LONGEST_RENEWAL_MS = 30_000;

/** A moment on both clocks: the monotonic one stands still while a machine sleeps, the other can be set. */
export function now() {
  return { mono: performance.now(), wall: Date.now() };
}

export function later(moment, ms) {
  return { mono: moment.mono + ms, wall: moment.wall + ms };
}

/** Milliseconds until a moment, on the clock that comes first. */
export function msUntil(moment) {
  const at = now();
  return Math.min(moment.mono - at.mono, moment.wall - at.wall);
}

/** Until when a lease is believed in that counts from this moment. */
export function deadline(since, leaseMs) {
  return later(since, leaseMs - Math.max(leaseMs / MARGIN, LEAST_MARGIN_MS));
}

/** When a lease counts from that was granted so much later than the request was sent, on the server's clock, which may be faster. */
export function grantedAfter(sent, waitedMs) {
  return later(sent, waitedMs > 0 ? waitedMs - waitedMs / MARGIN : waitedMs);
}

/** How often a lease is renewed. */
export function renewalMs(leaseMs) {
  return Math.min(Math.floor(leaseMs / 3), LONGEST_RENEWAL_MS);
}

/** Waits; rejects with the reason of the signal if that comes first. */
export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) {
      stop();
    } else {
      signal?.addEventListener("abort", stop, { once: true });
    }
  });
}
