import { randomBytes } from "node:crypto";
import {
  InvalidRequestError,
  LeaseLostError,
  LockBusyError,
  OutcomeUnknownError,
  StoreUnavailableError,
  refused,
} from "./errors.js";
import { Hold, lockText } from "./heartbeat.js";
import { grantedAfter, msUntil, now, renewalMs, sleep } from "./time.js";
import { strange } from "./wire.js";

/** Shorter than the patience of what stands between: proxies, firewalls. */
export const LONGEST_PARK_MS = 20_000;
const SHORTEST_PARK_MS = 1_000;
/** Soon tells the place of somebody who wants to know it. */
const FIRST_PARK_MS = 300;
/** A failure is bridged at least so long: a new connection takes several round trips. */
const LEAST_PATIENCE_MS = 250;
const PAUSE_MS = 100;

/**
 * One acquisition: one request, or one after the other while it waits. Each has the same lease id, so that the place in the queue is kept
 * between them, at whichever server they arrive, and nothing is granted twice.
 */
export class Asking {
  id = newId();
  #client;
  #options;
  #end;
  #asked = false;
  /** Who was in the way when it last heard. */
  #busy;
  /** Why it has not heard since; a wait that ends so ends in a failure, not in an answer. */
  #failure;

  /** client: `wire`, `park` (`{ms}`, how long the servers let a request wait as far as is known), `timeoutMs`, `tidy`. */
  constructor(client, key, options) {
    this.#client = client;
    this.key = key;
    this.#options = options;
    this.waits = options.waitMs > 0;
    this.#end = now().mono + (this.waits ? options.waitMs : client.timeoutMs);
  }

  /** Asks until there is an answer, time is up, or trying again does not help: what is held. */
  async run(signal) {
    while (true) {
      const park = this.#parkMs();
      const over = this.#end - now().mono <= 0;
      if (this.#asked && ((this.waits && park <= 0) || (over && this.#failure))) throw this.#failure ?? this.#busy;
      this.#asked = true;
      const ask = this.#request(park);
      try {
        const reply = await this.#client.wire.send(ask, signal);
        const hold = await this.#answered(reply, ask);
        if (hold) return hold;
        if (reply.status === 202 && now().mono - reply.sent.mono >= park / 2) continue; // at once: the place is kept only for a while
      } catch (e) {
        if (signal.aborted) throw signal.reason;
        if (this.#isTooLong(e, park)) continue;
        const mayHeal = e instanceof StoreUnavailableError || e instanceof OutcomeUnknownError;
        if (!this.waits || !mayHeal) throw e;
        this.#failure = e; // told when time is up, and then the place is given up too
      }
      await sleep(PAUSE_MS, signal);
    }
  }

  /** How long the next request may wait at the server. */
  #parkMs() {
    if (!this.waits) return 0;
    let left = this.#end - now().mono;
    if (!this.#asked) {
      left = Math.max(left, 1); // that it is busy is told only by the server
      if (this.#options.onQueued) left = Math.min(left, FIRST_PARK_MS);
    }
    return Math.floor(Math.min(left, this.#client.park.ms));
  }

  #request(park) {
    const { leaseMs, renew, minHoldMs, path, paths, mode, limit, owner, metadata, reason } = this.#options;
    const body = {
      ...this.key,
      path,
      paths,
      mode,
      limit,
      owner,
      lease_id: this.id,
      lease_ms: leaseMs,
      renew_every_ms: renew ? renewalMs(leaseMs) : 0,
      min_hold_ms: minHoldMs,
      wait_ms: park,
      metadata,
      reason,
    };
    const at = now().mono;
    return {
      what: `the request for ${lockText(this.key)}`,
      path: "/v2/locks/acquire",
      body: JSON.stringify(body),
      deadline: this.waits ? at + Math.max(Math.min(park, this.#end - at), LEAST_PATIENCE_MS) : this.#end,
      holdMs: park,
      patienceMs: this.#client.timeoutMs,
    };
  }

  /** What was granted, or undefined if it is to be asked for again. */
  async #answered(reply, ask) {
    const { status, answer } = reply;
    if (status === 200 && answer.fencing_token > 0 && answer.lease_ms > 0) return this.#granted(reply);
    if (status === 202 && this.waits && answer.position > 0) return this.#queued(reply);
    if (answer.code === "lease-lost") return this.#again(answer.reason); // granted, but the answer was lost on the way, or came too late
    if (answer.code === "lease-id-reused") throw refused(LeaseLostError, reply);
    if (answer.code) throw refused(LockBusyError, reply);
    throw strange(this.#client.wire.first, ask, reply);
  }

  /** The lease counts from when it was decided: not before the request was sent, and so much later. */
  async #granted(reply) {
    const waited = Number(reply.header["lease-waited-ms"] ?? 0);
    const since = grantedAfter(reply.sent, Number.isFinite(waited) ? waited : 0);
    const { fencing_token: token, lease_ms: leaseMs } = reply.answer;
    const hold = new Hold(this.key, this.id, token, leaseMs, since, this.#options.renew);
    if (msUntil(hold.until) > 0) return hold;
    await this.#client.tidy({ ...this.key, lease_id: this.id, lost: true }); // or it would be in our own way
    return this.#again("paused");
  }

  #queued(reply) {
    const { position, holders = [] } = reply.answer;
    const by = holders.length > 0 ? holders.map((holder) => `'${holder.owner}'`).join(", ") : "nobody now, but reserved for those who wait";
    this.#busy = new LockBusyError(`${lockText(this.key)} was not free in time; it is held by ${by}`, {
      status: reply.status,
      holders,
      queueLength: position,
    });
    this.#failure = undefined;
    this.#options.onQueued?.(position, holders);
  }

  /** Asks for a new acquisition: nobody was told of the one that ended. */
  #again(reason) {
    this.#failure = new StoreUnavailableError(`${lockText(this.key)} was granted, but that was not heard in time (${reason})`);
    this.id = newId();
  }

  /** Whether this server is set to let requests wait for less; they are shorter from now on. */
  #isTooLong(e, park) {
    if (!(e instanceof InvalidRequestError) || !e.message.includes("wait_ms") || park <= SHORTEST_PARK_MS) return false;
    const shorter = Math.max(Math.floor(park / 2), SHORTEST_PARK_MS);
    this.#client.park.ms = Math.min(this.#client.park.ms, shorter);
    return true;
  }
}

/** Names an acquisition: the same in every retry, and known to nobody else. */
function newId() {
  return randomBytes(16).toString("hex");
}
