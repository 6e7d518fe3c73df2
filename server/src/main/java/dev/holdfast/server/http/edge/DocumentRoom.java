package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Shares;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of documents may be under way at once: a part of the memory, but always one document. Taken as the bytes come, not as
 * they are announced: who announces much and sends nothing takes no room from others. No caller has more than half of it, or one
 * document if that is larger. Safe for any thread; a {@link Place} is for one.
 */
public final class DocumentRoom {
    /** The part of the memory: a document is there in a few copies while it is saved. */
    private static final int PART = 8;

    private final long bytes;
    private final AtomicLong taken = new AtomicLong();
    private final Shares shares;

    public DocumentRoom(long bytes, long largest) {
        this.bytes = bytes;
        this.shares = new Shares(Math.max(bytes / 2, largest));
    }

    static DocumentRoom of(long largest) {
        return new DocumentRoom(Math.max(largest, Runtime.getRuntime().maxMemory() / PART), largest);
    }

    /** A place for a document of this caller, with so much room in it; empty if there is none now. */
    public Optional<Place> enter(String share, long first) {
        Place place = new Place(share);
        return place.grow(first) ? Optional.of(place) : Optional.empty();
    }

    public long taken() {
        return taken.get();
    }

    public final class Place {
        private final String share;
        private long size;
        private boolean left;

        private Place(String share) {
            this.share = share;
        }

        /** Takes so much more; false if there is no more, or this caller has its share. */
        public boolean grow(long more) {
            if (left || !shares.take(share, more)) {
                return false;
            }
            if (taken.addAndGet(more) > bytes) {
                taken.addAndGet(-more);
                shares.giveBack(share, more);
                return false;
            }
            size += more;
            return true;
        }

        public void leave() {
            if (!left) {
                left = true;
                taken.addAndGet(-size);
                shares.giveBack(share, size);
            }
        }
    }
}
