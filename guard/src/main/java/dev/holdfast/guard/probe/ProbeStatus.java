package dev.holdfast.guard.probe;

/** What a probe found. */
public enum ProbeStatus {
    /** The app answers. */
    UP,
    /** An HTTP answer that is not up. */
    DOWN,
    /** The connection was refused. */
    REFUSED,
    /** No answer. */
    UNKNOWN
}
