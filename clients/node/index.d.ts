/// <reference lib="esnext.disposable" />

export interface ClientOptions {
  /** 1 to 16 addresses on the same store, such as https://locks.example.com; they stand in for each other. */
  servers: string | string[];
  /** An API token or a JWT. */
  token?: string;
  /** Certificates (PEM) to trust instead of those of Node. */
  ca?: string | Uint8Array | Array<string | Uint8Array>;
  /** Certificate (PEM) for a server that asks for one. */
  cert?: string | Uint8Array;
  /** Its key (PEM). */
  key?: string | Uint8Array;
  /** Of locks asked for without one; "default" if left out. */
  namespace?: string;
  /** Shown as the holder of its locks; host, process and start time if left out. */
  owner?: string;
  /** How long a request is tried again before it fails; 10 s if left out. */
  timeoutMs?: number;
}

export interface LockOptions {
  /** That of the client if left out. */
  namespace?: string;
  /** How long the lock stays ours if this process dies; 30 s if left out, 100 ms to 24 h. It is renewed after a third of it. */
  leaseMs?: number;
  /** Why, for whoever finds it held. */
  reason?: string;
  /** That of the client if left out. */
  owner?: string;
  /** More about it, for people. */
  metadata?: Record<string, string>;
  mode?: "exclusive" | "shared" | "permit";
  /** How many may hold it at once, with mode "permit". */
  limit?: number;
  /** A part of the lock, such as "eu/orders". */
  path?: string;
  /** Several parts, together or not at all; instead of path. */
  paths?: string[];
  /** Keeps it busy for so long after the grant, even if it is released sooner. */
  minHoldMs?: number;
  /** False: let it end when its lease does. */
  renew?: boolean;
  /** Ends asking. It has no effect on a lock that was granted. */
  signal?: AbortSignal;
}

export interface WaitOptions extends LockOptions {
  /** How long to wait for its turn, and for a server to answer; 30 s if left out, Infinity for as long as it takes. */
  waitMs?: number;
  /** Told of the place in the queue, from 1, and who is in the way: soon after it begins to wait, then now and again. */
  onQueued?: (place: number, holders: Holder[]) => void;
}

/** Somebody who holds a lock, as others see it. */
export interface Holder {
  owner: string;
  path: string;
  mode: "exclusive" | "shared" | "permit";
  fencing_token: number;
  granted_at: string;
  renewed_at: string;
  /** null: never */
  expires_at: string | null;
  stale: boolean;
  metadata?: Record<string, string>;
  reason?: string;
}

/** Takes locks and renews all of its leases with one request. One for a process is enough. */
export class Client {
  /** Nothing is sent before something is asked. */
  constructor(options: ClientOptions);

  /**
   * Takes the lock, waiting for its turn in fair order, up to `waitMs` or until `signal` aborts; then it gives up its place. Rejects with
   * a LockBusyError if others had it all the time, with another HoldfastError if no server said so, or with the reason of the signal.
   */
  acquire(name: string, options?: WaitOptions): Promise<Lease>;

  /** Takes the lock if it is free; else rejects with a LockBusyError. */
  tryAcquire(name: string, options?: LockOptions): Promise<Lease>;

  /**
   * Does the work under the lock, for which it waits as `acquire` does, and releases it afterwards, however the work ends. Work that ended
   * well under a lock that was lost is a LeaseLostError: it may not have been alone.
   */
  run<T>(name: string, work: (lease: Lease) => T | Promise<T>): Promise<T>;
  run<T>(name: string, options: WaitOptions, work: (lease: Lease) => T | Promise<T>): Promise<T>;

  /**
   * Gives up places in queues and stops renewing. Leases that are still held are lost, for the reason closed: they end by themselves at
   * the server, since their work may still be going on. Release them first.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A lock that is held. It is renewed until it is released or lost. */
export class Lease {
  private constructor();

  /** The name of the lock. */
  readonly name: string;
  readonly namespace: string;
  /** Names this acquisition: whoever knows it can release it. Keep it to yourself. */
  readonly id: string;
  /** Above that of every earlier holder, for ever. Send it with what you write, and let the other side refuse a lower one. */
  readonly token: number;
  /** Aborted when the lease is lost, with the LeaseLostError as its reason. */
  readonly signal: AbortSignal;
  /** Whether the lock is certainly still held. Once it is not, it never is again. */
  readonly valid: boolean;
  /** How long the lock is certainly held if no renewal succeeds; 0 if it is not. */
  readonly remainingMs: number;
  /** Why it was lost; undefined while it is held and after an ordinary release. */
  readonly lost: LeaseLostError | undefined;

  /** Calls the function once if the lease is lost, also if it is already; never after a release. */
  onLost(listener: (error: LeaseLostError) => void): void;

  /**
   * Lets the process end while this is held, if nothing else keeps it going, as with a timer of Node; the lock is then free when the lease
   * ends. Without it a held lease keeps the process alive, so that whoever waits for its loss hears of it.
   */
  unref(): this;
  /** Takes `unref` back. */
  ref(): this;

  /**
   * Gives the lock back. True: it was held until now. False: it had been lost before, so somebody else may have held it meanwhile. Rejects
   * if no server answered; the lease then ends by itself. Later calls give the same.
   */
  release(): Promise<boolean>;

  /**
   * For `await using`: releases it, and throws the LeaseLostError if it was lost, since the work may not have been alone. A release that
   * fails is not told: the lease ends by itself.
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a server refused, or what kept a request from being answered. */
export class HoldfastError extends Error {
  /** What docs/REST.md calls it (held, forbidden, too-many-waiters), or the name of the class in the same spelling. */
  readonly code: string;
  /** Of the answer, if there was one. */
  readonly status?: number;
  /** To look for in the log of the server. */
  readonly requestId?: string;
  /** Why a lease ended, with LeaseLostError: expired, forced, store_unreachable, paused, closed … */
  readonly reason?: string;
  /** Everything that is wrong with a request, if it is more than one thing. */
  readonly errors?: string[];
  /** When asking again makes sense, if the server says so. */
  readonly retryAfterMs?: number;
  /** Who is in the way, with LockBusyError. */
  readonly holders: Holder[];
  /** How many wait, with LockBusyError. */
  readonly queueLength?: number;
}

/** Others have the lock, or are ahead in the queue. */
export class LockBusyError extends HoldfastError {}
/** It was held and is not any more: stop working. */
export class LeaseLostError extends HoldfastError {}
/** A value is out of bounds; nothing was changed. */
export class InvalidRequestError extends HoldfastError {}
/** The server does not know you, or does not allow this. */
export class AccessRefusedError extends HoldfastError {}
/** No server could do it in time; nothing was changed. */
export class StoreUnavailableError extends HoldfastError {}
/** No answer, and it may have been done. */
export class OutcomeUnknownError extends HoldfastError {}
/** Trying again does not help. */
export class StoreUnusableError extends HoldfastError {}
/** The client was closed, perhaps while the call waited. */
export class ClientClosedError extends HoldfastError {}
