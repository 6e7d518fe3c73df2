package dev.holdfast.model;

/** Why a lease is not (or no longer) held. Stored in the list of ended leases: codes are never reused. */
public enum LostReason {
    /** Its time ran out before it was renewed. */
    EXPIRED('e'),
    /** Its own holder released it. */
    RELEASED('r'),
    /** An operator ended it by force. */
    FORCED('f'),
    /** It left the queue, or let two grants pass unclaimed. */
    ABANDONED('a'),
    /** The lease id belongs to an acquisition with another owner, mode or path. */
    REUSED('u'),
    /** The record knows nothing of this lease id. */
    UNKNOWN('n'),
    /** The store could not be reached until the local deadline. */
    STORE_UNREACHABLE('s'),
    /** The local clock passed the deadline: the process or machine was paused for too long. */
    PAUSED('p'),
    /** The client was closed while the lease was held. */
    CLOSED('c');

    private final char code;

    LostReason(char code) {
        this.code = code;
    }

    /** The stored letter. */
    public char code() {
        return code;
    }

    /** The reason with this letter; {@link #UNKNOWN} for a letter of a newer version. */
    public static LostReason ofCode(char code) {
        for (LostReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return UNKNOWN;
    }
}
