package dev.holdfast.server.http;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of documents may be under way at once: a part of the memory, but always one document. */
final class DocumentRoom {
    /** The part of the memory: a document is there in a few copies while it is saved. */
    private static final int PART = 8;

    private final long bytes;
    private final AtomicLong taken = new AtomicLong();

    DocumentRoom(long bytes) {
        this.bytes = bytes;
    }

    static DocumentRoom of(long largest) {
        return new DocumentRoom(Math.max(largest, Runtime.getRuntime().maxMemory() / PART));
    }

    /** Room for one of this size, to be left once; empty if there is none now. */
    Optional<Place> enter(long size) {
        while (true) {
            long before = taken.get();
            if (before + size > bytes) {
                return Optional.empty();
            }
            if (taken.compareAndSet(before, before + size)) {
                return Optional.of(new Place(size));
            }
        }
    }

    final class Place {
        private final long size;
        private final AtomicBoolean left = new AtomicBoolean();

        private Place(long size) {
            this.size = size;
        }

        void leave() {
            if (left.compareAndSet(false, true)) {
                taken.addAndGet(-size);
            }
        }
    }
}
