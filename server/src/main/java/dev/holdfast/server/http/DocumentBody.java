package dev.holdfast.server.http;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/** Collects a document into one array; of the announced size, so that it is there once. */
final class DocumentBody {
    /** A sender that brings so much within the time for a request is not slow. */
    private static final int STEP = 64 << 10;

    private final int limit;
    private final Runnable goesOn;
    private byte[] bytes;
    private int size;
    private int told;

    /**
     * An empty one.
     *
     * @param length as announced; negative if it was not
     * @param limit most bytes
     * @param goesOn called from time to time while it comes
     */
    DocumentBody(int length, int limit, Runnable goesOn) {
        this.bytes = new byte[length < 0 ? Math.min(limit, STEP) : length];
        this.limit = limit;
        this.goesOn = goesOn;
    }

    /** Takes a part; false if it is too large then. */
    boolean take(Buffer chunk) {
        int more = chunk.length();
        if (size + (long) more > limit) {
            return false;
        }
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(size + more, bytes.length * 2L)));
        }
        chunk.getBytes(bytes, size);
        size += more;
        if (size - told >= STEP) {
            told = size;
            goesOn.run();
        }
        return true;
    }

    byte[] whole() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
