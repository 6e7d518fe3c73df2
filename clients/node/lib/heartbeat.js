import { AccessRefusedError, InvalidRequestError, lost } from "./errors.js";
import { deadline, later, msUntil, now, renewalMs } from "./time.js";

/** So many leases with the longest names fit into the four megabytes that a server takes. */
const MAX_BATCH = 1500;
/** Between a renewal that failed and the next. */
const RETRY_LEAST_MS = 10;
/** A try must leave time for another, but a new connection takes several round trips. */
const LEAST_PATIENCE_MS = 250;
/** When the timer looks at the clocks again, whatever is due: one of them may have been set. */
const LATEST_LOOK_MS = 3_600_000;

/** What a client knows of one lease. */
export class Hold {
  renewing = false;
  failing = false;
  released = false;
  /** Whether the process goes on while it is held. */
  keepsAlive = true;
  lost = undefined;
  listeners = [];
  abort = new AbortController();

  constructor(key, id, token, leaseMs, since, renews) {
    this.key = key;
    this.id = id;
    this.token = token;
    this.leaseMs = leaseMs;
    this.renews = renews;
    this.until = deadline(since, leaseMs); // the local deadline
    this.due = later(since, renewalMs(leaseMs)); // when it is renewed next
  }

  get lock() {
    return lockText(this.key);
  }
}

export function lockText({ namespace, name }) {
  return `lock '${name}' in '${namespace}'`;
}

/**
 * Renews all leases of a client, those that are due with those that soon will be in one request, and tells the holders of those that
 * cannot be renewed in time.
 */
export class Heartbeat {
  #held = new Set();
  #timer;
  #closed = false;
  #send;
  #giveBack;

  /** @param send sends a request. @param giveBack tells the server of a lease that was lost here and may still be held there */
  constructor(send, giveBack) {
    this.#send = send;
    this.#giveBack = giveBack;
  }

  /** Begins to renew; false if the client is closed. */
  keep(hold) {
    if (this.#closed) return false;
    this.#held.add(hold);
    this.#schedule();
    return true;
  }

  /** Whether it is held; loses it if its deadline has passed. */
  look(hold) {
    if (hold.released || hold.lost) return false;
    if (msUntil(hold.until) > 0) return true;
    if (!hold.renews) {
      this.#lose(hold, "expired"); // at the server as well, by itself
    } else {
      this.#lose(hold, hold.renewing || hold.failing ? "store_unreachable" : "paused");
      this.#giveBack(hold);
    }
    return false;
  }

  remainingMs(hold) {
    return this.look(hold) ? Math.max(0, msUntil(hold.until)) : 0;
  }

  /** Stops renewing; false if it was lost before. */
  release(hold) {
    if (!this.look(hold)) return false;
    hold.released = true;
    this.#held.delete(hold);
    this.#schedule();
    return true;
  }

  /** Says whether the process goes on while it is held. */
  keepAlive(hold, wanted) {
    hold.keepsAlive = wanted;
    this.#schedule();
  }

  /** Loses what is still held: nobody renews it any more. */
  close() {
    this.#closed = true;
    for (const hold of [...this.#held]) this.#lose(hold, "closed");
    this.#schedule();
  }

  #lose(hold, reason) {
    hold.lost = lost(hold.lock, reason);
    this.#held.delete(hold);
    const listeners = hold.listeners.splice(0);
    hold.abort.abort(hold.lost);
    for (const listener of listeners) queueMicrotask(() => listener(hold.lost));
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#held.size === 0) return;
    let next = LATEST_LOOK_MS;
    for (const hold of this.#held) {
      next = Math.min(next, msUntil(hold.until));
      if (hold.renews && !hold.renewing) next = Math.min(next, msUntil(hold.due));
    }
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, Math.ceil(next)));
    // A process that ended without a word would not hear of a loss it waits for.
    if (![...this.#held].some((hold) => hold.keepsAlive)) this.#timer.unref();
  }

  #tick() {
    const renewable = [...this.#held].filter((hold) => this.look(hold) && hold.renews && !hold.renewing);
    if (renewable.some((hold) => msUntil(hold.due) <= 0)) {
      // Those whose turn comes within half of their interval come along.
      const due = renewable.filter((hold) => msUntil(hold.due) <= renewalMs(hold.leaseMs) / 2);
      for (const hold of due) hold.renewing = true;
      for (let from = 0; from < due.length; from += MAX_BATCH) this.#renew(due.slice(from, from + MAX_BATCH));
    }
    this.#schedule();
  }

  async #renew(some) {
    const ends = some.map((hold) => hold.until.mono);
    const soonest = ends.reduce((a, b) => Math.min(a, b)) - now().mono;
    const ask = {
      what: "the renewal of leases",
      path: "/v2/locks/renew",
      body: JSON.stringify({ leases: some.map((hold) => ({ ...hold.key, lease_id: hold.id })) }),
      deadline: ends.reduce((a, b) => Math.max(a, b)),
      holdMs: 0,
      patienceMs: Math.max(LEAST_PATIENCE_MS, soonest / 3),
    };
    let reply;
    try {
      reply = await this.#send(ask);
    } catch (e) {
      const refused = e instanceof AccessRefusedError || e instanceof InvalidRequestError;
      if (refused && some.length > 1 && !this.#closed) { // perhaps only because of one of them
        const half = some.length >> 1;
        this.#renew(some.slice(0, half));
        this.#renew(some.slice(half));
        return;
      }
    }
    some.forEach((hold, i) => {
      hold.renewing = false;
      hold.failing = true; // whatever was said after the deadline came too late
      if (!this.look(hold)) return;
      const result = reply?.answer.results?.[i];
      this.#settle(hold, result?.lease_id === hold.id ? result : { outcome: "unknown" }, reply?.sent);
    });
    this.#schedule();
  }

  #settle(hold, result, sent) {
    if (result.outcome === "renewed" && result.lease_ms > 0) {
      hold.failing = false;
      hold.leaseMs = result.lease_ms;
      const until = deadline(sent, result.lease_ms);
      if (until.mono > hold.until.mono) hold.until = until; // no renewal shortens a lease
      hold.due = later(sent, renewalMs(result.lease_ms));
    } else if (result.outcome === "lost") {
      this.#lose(hold, result.reason ?? "unknown");
    } else {
      hold.due = later(now(), Math.max(RETRY_LEAST_MS, msUntil(hold.until) / 4));
    }
  }
}
