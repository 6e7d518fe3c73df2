import { lost } from "./errors.js";
import { lockText } from "./heartbeat.js";

/**
 * A lock that is held. It is renewed until it is released or lost. It counts from before the last request that was answered well was
 * sent, minus a margin, so it is lost here before anybody else is granted the lock (a force-unlock excepted). Between a check and what
 * it guards a process can be paused for any time: let what you write to compare the `token`.
 */
export class Lease {
  #hold;
  #heartbeat;
  #giveBack;
  #released;

  /** Made by Client.acquire. */
  constructor(hold, heartbeat, giveBack) {
    this.#hold = hold;
    this.#heartbeat = heartbeat;
    this.#giveBack = giveBack;
  }

  /** The name of the lock. */
  get name() {
    return this.#hold.key.name;
  }

  get namespace() {
    return this.#hold.key.namespace;
  }

  /** Names this acquisition: whoever knows it can release it. Keep it to yourself. */
  get id() {
    return this.#hold.id;
  }

  /** Above that of every earlier holder, for ever. Send it with what you write, and let the other side refuse a lower one. */
  get token() {
    return this.#hold.token;
  }

  /** Aborted when the lease is lost, with the LeaseLostError as its reason. */
  get signal() {
    return this.#hold.abort.signal;
  }

  /** Whether the lock is certainly still held. Once it is not, it never is again. */
  get valid() {
    return this.#heartbeat.look(this.#hold);
  }

  /** How long the lock is certainly held if no renewal succeeds; 0 if it is not. */
  get remainingMs() {
    return this.#heartbeat.remainingMs(this.#hold);
  }

  /** Why it was lost; undefined while it is held and after an ordinary release. */
  get lost() {
    this.#heartbeat.look(this.#hold);
    return this.#hold.lost;
  }

  /** Calls the function once with the LeaseLostError if the lease is lost, also if it is already; never after a release. */
  onLost(listener) {
    const hold = this.#hold;
    if (hold.lost) queueMicrotask(() => listener(hold.lost));
    else if (!hold.released) hold.listeners.push(listener);
  }

  /** Lets the process end while this is held, if nothing else keeps it going; the lock is then free when the lease ends. */
  unref() {
    this.#heartbeat.keepAlive(this.#hold, false);
    return this;
  }

  /** Takes `unref` back. */
  ref() {
    this.#heartbeat.keepAlive(this.#hold, true);
    return this;
  }

  /**
   * Gives the lock back. True: it was held until now. False: it had been lost before, so somebody else may have held it meanwhile. Rejects
   * if no server answered; the lease then ends by itself. Later calls give the same.
   */
  release() {
    this.#released ??= this.#heartbeat.release(this.#hold) ? this.#giveBack(this.#hold) : Promise.resolve(false);
    return this.#released;
  }
}

/**
 * Releases after work that ended well: throws the LeaseLostError if the lock was lost, since the work may not have been alone. A release
 * that fails is no error of the work: it is done, and the lease ends by itself.
 */
export async function releaseAfterWork(lease) {
  const held = await lease.release().catch(() => true);
  if (!held) throw lease.lost ?? lost(lockText(lease), "unknown");
}

if (Symbol.asyncDispose) {
  Object.defineProperty(Lease.prototype, Symbol.asyncDispose, {
    value() {
      return releaseAfterWork(this);
    },
  });
}
