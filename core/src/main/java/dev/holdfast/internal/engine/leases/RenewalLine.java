package dev.holdfast.internal.engine.leases;

/**
 * What the line is like over which leases are renewed.
 *
 * @param watched whether changes are told over it, so that leases must be found by their lock
 * @param together whether leases that are soon due are renewed along with those that are: where a request for many costs no more
 *     than one for one
 * @param shards among how many monitors the leases are spread
 */
public record RenewalLine(boolean watched, boolean together, int shards) {
    /** To a store: each lease is a row that is written. */
    public static RenewalLine toStore(boolean watched, int shards) {
        return new RenewalLine(watched, false, shards);
    }

    /** To a server: one request for many leases. */
    public static RenewalLine toServer(boolean watched) {
        return new RenewalLine(watched, true, 1);
    }
}
