package dev.holdfast.server.http.edge;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/** Collects a document into one array, which grows as its bytes come, up to the announced size. */
final class DocumentBody {
    /** A sender that brings so much within the time for a request is not slow. Also how much room each has from the start. */
    static final int STEP = 64 << 10;

    private final int limit;
    private final DocumentRoom.Place place;
    private final Runnable goesOn;
    private byte[] bytes;
    private int size;
    private int told;

    enum TakeResult {
        YES,
        /** With it the document is larger than it may be. */
        TOO_LARGE,
        NO_ROOM
    }

    /**
     * @param most bytes that may come: as announced, or as allowed
     * @param place its room, which has the first step already
     * @param goesOn called from time to time while it comes
     */
    DocumentBody(int most, DocumentRoom.Place place, Runnable goesOn) {
        this.bytes = new byte[first(most)];
        this.limit = most;
        this.place = place;
        this.goesOn = goesOn;
    }

    static int first(int most) {
        return Math.min(most, STEP);
    }

    TakeResult take(Buffer chunk) {
        int more = chunk.length();
        if (size + (long) more > limit) {
            return TakeResult.TOO_LARGE;
        }
        if (size + more > bytes.length && !grow(size + more)) {
            return TakeResult.NO_ROOM;
        }
        chunk.getBytes(bytes, size);
        size += more;
        if (size - told >= STEP) {
            told = size;
            goesOn.run();
        }
        return TakeResult.YES;
    }

    private boolean grow(int needed) {
        int next = (int) Math.min(limit, Math.max(needed, bytes.length * 2L));
        if (!place.grow(next - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, next);
        return true;
    }

    byte[] whole() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
