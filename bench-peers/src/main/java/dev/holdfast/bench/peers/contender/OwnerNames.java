package dev.holdfast.bench.peers.contender;

import java.util.concurrent.atomic.AtomicLong;

/** A name for each acquisition of a bare loop, unlike all others of this machine, at no cost to speak of. */
final class OwnerNames {
    private static final String PROCESS = ProcessHandle.current().pid() + "-";
    private static final AtomicLong COUNT = new AtomicLong();

    private OwnerNames() {}

    static String next() {
        return PROCESS + COUNT.incrementAndGet();
    }
}
