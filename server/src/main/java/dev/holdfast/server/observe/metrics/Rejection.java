package dev.holdfast.server.observe.metrics;

/** Why a request was turned away before it reached a lock. */
public enum Rejection {
    /** Its caller sent too many requests. */
    RATE,
    /** Too many already wait for this lock or in this namespace. */
    WAITERS,
    /** Its caller has used too many different locks lately. */
    LOCKS,
    /** The server has all the connections it may have. */
    CONNECTIONS,
    /** The client sent or read too slowly. */
    SLOW,
    /** The body, the address or the headers were too large. */
    SIZE,
    /** Nobody known, or somebody without the role. */
    AUTH
}
