/**
 * What a server refused, or what kept a request from being answered. `code` is what docs/REST.md calls it (held, forbidden,
 * too-many-waiters), or the name of the class in the same spelling.
 */
export class HoldfastError extends Error {
  constructor(detail, more = {}) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = more.code ?? this.constructor.code;
    this.status = more.status;
    this.requestId = more.requestId;
    this.reason = more.reason;
    this.errors = more.errors;
    this.retryAfterMs = more.retryAfterMs;
    this.holders = more.holders ?? [];
    this.queueLength = more.queueLength;
  }

  get name() {
    return this.constructor.name;
  }
}

/** Others have the lock, or are ahead in the queue: see `holders`. */
export class LockBusyError extends HoldfastError {
  static code = "held";
}

/** It was held and is not any more: stop working. `reason` says why. */
export class LeaseLostError extends HoldfastError {
  static code = "lease-lost";
}

/** A value is out of bounds; nothing was changed. */
export class InvalidRequestError extends HoldfastError {
  static code = "invalid-request";
}

/** The server does not know you, or does not allow this. */
export class AccessRefusedError extends HoldfastError {
  static code = "access-refused";
}

/** No server could do it in time; nothing was changed. */
export class StoreUnavailableError extends HoldfastError {
  static code = "store-unavailable";
}

/** No answer, and it may have been done. */
export class OutcomeUnknownError extends HoldfastError {
  static code = "outcome-unknown";
}

/** Trying again does not help: a store that cannot be used, a certificate that is not trusted, something that is not a Holdfast server. */
export class StoreUnusableError extends HoldfastError {
  static code = "store-unusable";
}

/** The client was closed, perhaps while the call waited. */
export class ClientClosedError extends HoldfastError {
  static code = "client-closed";
}

/** A refusal by the server, in its own words. */
export function refused(Kind, reply) {
  const said = reply.answer;
  return new Kind(said.detail ?? `the server answered ${reply.status}`, {
    code: said.code,
    status: reply.status,
    requestId: said.request_id,
    reason: said.reason,
    errors: said.errors,
    retryAfterMs: said.retry_after_ms,
    holders: said.holders,
    queueLength: said.queue_length,
  });
}

/** What the holder of a lock is told that is not held any more. */
export function lost(lock, reason) {
  return new LeaseLostError(`${lock} is not held any more (${reason}): stop working, somebody else may have it`, { reason });
}
