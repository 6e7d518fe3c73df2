import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import process from "node:process";
import { Asking, LONGEST_PARK_MS } from "./asking.js";
import { ClientClosedError, InvalidRequestError, LockBusyError, OutcomeUnknownError } from "./errors.js";
import { Heartbeat } from "./heartbeat.js";
import { Lease, releaseAfterWork } from "./lease.js";
import { now, sleep } from "./time.js";
import { Wire, strange } from "./wire.js";

const MAX_SERVERS = 16;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_LEASE_MS = 30_000;
const DEFAULT_WAIT_MS = 30_000;
/** How long giving up a place, or giving back a lock nobody was told of, may take: it ends by itself anyway. */
const TIDY_WITHIN_MS = 2_000;

const CLIENT_OPTIONS = ["servers", "token", "ca", "cert", "key", "namespace", "owner", "timeoutMs"];
const ACQUIRE_OPTIONS = [
  ...["namespace", "leaseMs", "waitMs", "reason", "owner", "metadata", "mode", "limit", "path", "paths", "minHoldMs", "renew"],
  ...["signal", "onQueued"],
];

/** Takes locks and renews all of its leases with one request. One for a process is enough. */
export class Client {
  #config;
  #wire;
  #heartbeat;
  #park = { ms: LONGEST_PARK_MS };
  #life = new AbortController();
  #asking = new Set();
  #tidying = new Set();
  #closed;

  /** Nothing is sent before something is asked. */
  constructor(options) {
    known("client", options, CLIENT_OPTIONS);
    const { servers, token, namespace = "default", owner = processLabel(), timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw new InvalidRequestError("the token has characters that are not allowed; is it complete, on one line?");
    }
    this.#config = { namespace, owner, timeoutMs };
    try {
      this.#wire = new Wire(addresses([servers].flat()), token, options);
    } catch (cause) {
      throw cause instanceof InvalidRequestError ? cause : new InvalidRequestError(`ca, cert, key: ${cause.message}`, { cause });
    }
    setMaxListeners(0, this.#life.signal);
    this.#heartbeat = new Heartbeat(
      (ask) => this.#wire.send(ask, this.#life.signal),
      (hold) => this.#tidy({ ...hold.key, lease_id: hold.id, lost: true }),
    );
  }

  /**
   * Takes the lock, waiting for its turn in fair order, up to `waitMs` (30 s) or until `signal` aborts; then it gives up its place. A
   * server that does not answer is waited for just as long. Rejects with a LockBusyError if others had it all the time, with another
   * HoldfastError if no server said so, or with the reason of the signal.
   */
  acquire(name, options = {}) {
    return this.#acquire(name, { ...options, waitMs: options.waitMs ?? DEFAULT_WAIT_MS });
  }

  /** Takes the lock if it is free; else rejects with a LockBusyError. It does not wait, whatever `waitMs` says. */
  tryAcquire(name, options = {}) {
    return this.#acquire(name, { ...options, waitMs: 0 });
  }

  /**
   * Does the work under the lock, for which it waits as `acquire` does, and releases it afterwards, however the work ends. Work that ended
   * well under a lock that was lost is a LeaseLostError: it may not have been alone. `run(name, work)` or `run(name, options, work)`.
   */
  async run(name, options, work) {
    if (work === undefined) [options, work] = [{}, options];
    const lease = await this.acquire(name, options);
    let value;
    try {
      value = await work(lease);
    } catch (e) {
      await lease.release().catch(() => {});
      throw e;
    }
    await releaseAfterWork(lease);
    return value;
  }

  /**
   * Gives up places in queues and stops renewing. Leases that are still held are lost, for the reason closed: they end by themselves at
   * the server, since their work may still be going on. Release them first.
   */
  close() {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end() {
    this.#heartbeat.close();
    const waiting = [...this.#asking];
    for (const { abort } of waiting) abort.abort(this.#closedError());
    await Promise.allSettled(waiting.map(({ told }) => told));
    const stop = new AbortController();
    await Promise.race([Promise.allSettled([...this.#tidying]), sleep(TIDY_WITHIN_MS, stop.signal).catch(() => {})]);
    stop.abort();
    this.#life.abort(this.#closedError());
    this.#wire.close();
  }

  #closedError() {
    return new ClientClosedError(`this client of ${this.#wire.first} is closed`);
  }

  async #acquire(name, options) {
    known("lock", options, ACQUIRE_OPTIONS);
    if (this.#closed) throw this.#closedError();
    options.signal?.throwIfAborted();
    const { namespace = this.#config.namespace, owner = this.#config.owner, leaseMs = DEFAULT_LEASE_MS, renew = true } = options;
    const parts = { wire: this.#wire, park: this.#park, timeoutMs: this.#config.timeoutMs, tidy: (one) => this.#tidy(one) };
    const asking = new Asking(parts, { namespace, name }, { ...options, owner, leaseMs, renew });
    const abort = new AbortController(); // by the caller, or by close
    const stop = () => abort.abort(options.signal.reason);
    options.signal?.addEventListener("abort", stop, { once: true });
    const told = asking.run(abort.signal);
    const entry = { abort, told };
    this.#asking.add(entry);
    try {
      const hold = await told;
      if (!abort.signal.aborted && this.#heartbeat.keep(hold)) {
        return new Lease(hold, this.#heartbeat, (ended) => this.#giveBack(ended));
      }
      throw abort.signal.reason ?? this.#closedError();
    } catch (e) {
      const mine = { ...asking.key, lease_id: asking.id, unused: true }; // nobody was told of it
      const goes = abort.signal.aborted; // and does so at once
      if (goes || asking.waits || e instanceof OutcomeUnknownError) {
        const tidied = this.#tidy(mine);
        if (!goes && e instanceof LockBusyError) await tidied; // the place is given up before that is told
      }
      throw e;
    } finally {
      this.#asking.delete(entry);
      options.signal?.removeEventListener("abort", stop);
    }
  }

  /** Releases it: whether it was still held. */
  async #giveBack(hold) {
    const reply = await this.#release({ ...hold.key, lease_id: hold.id }, this.#config.timeoutMs);
    const { outcome, reason = "unknown" } = reply.answer.results[0];
    if (outcome === "released") return true;
    if (outcome === "not_held") return reply.doubted && reason === "released"; // by the same request, whose answer did not come
    throw new OutcomeUnknownError(`the server does not know whether ${hold.lock} was released: ${reason}`);
  }

  /** Does what time would do, too, only later: so a failure does not matter. */
  #tidy(one) {
    return this.#release(one, TIDY_WITHIN_MS).catch(() => {});
  }

  /** Ends a lease, or leaves the queue; close waits for it. */
  #release(one, withinMs) {
    const told = this.#sendRelease(one, withinMs);
    const settled = told.then(
      () => this.#tidying.delete(settled),
      () => this.#tidying.delete(settled),
    );
    this.#tidying.add(settled);
    return told;
  }

  async #sendRelease(one, withinMs) {
    const ask = {
      what: `the release of lock '${one.name}' in '${one.namespace}'`,
      path: "/v2/locks/release",
      body: JSON.stringify({ leases: [one] }),
      deadline: now().mono + withinMs,
      holdMs: 0,
      patienceMs: withinMs,
    };
    const reply = await this.#wire.send(ask, this.#life.signal);
    if (reply.answer.results?.[0]?.lease_id !== one.lease_id) throw strange(this.#wire.first, ask, reply);
    return reply;
  }
}

if (Symbol.asyncDispose) {
  Object.defineProperty(Client.prototype, Symbol.asyncDispose, {
    value() {
      return this.close();
    },
  });
}

function addresses(given) {
  if (given.length < 1 || given.length > MAX_SERVERS || given[0] === undefined) {
    throw new InvalidRequestError(`a client has 1 to ${MAX_SERVERS} servers`);
  }
  return given.map((server) => {
    let url;
    try {
      url = new URL(server);
    } catch {
      url = undefined; // the message would repeat what may be a secret
    }
    if (url?.username || url?.password) {
      throw new InvalidRequestError("the address of a server must not contain a user; give the token separately");
    }
    if (!url?.host || !["http:", "https:"].includes(url.protocol) || url.search || url.hash) {
      throw new InvalidRequestError("that is not the address of a server; write for example http://127.0.0.1:8080");
    }
    return url.href.replace(/\/+$/, "");
  });
}

/** A name that is not known is a mistake, and would be passed over. */
function known(what, options, names) {
  const strange = Object.keys(options ?? {}).filter((name) => !names.includes(name));
  if (typeof options !== "object" || options === null || strange.length > 0) {
    throw new InvalidRequestError(`options of a ${what} are ${names.join(", ")}; not ${strange.join(", ") || options}`);
  }
}

const started = Math.floor(Date.now() / 1000);

function processLabel() {
  return `${hostname()}-${process.pid}-${started}`;
}
