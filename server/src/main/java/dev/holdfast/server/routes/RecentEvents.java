package dev.holdfast.server.routes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest events, in the order of their numbers; the oldest makes room for the newest. Not safe for several threads. */
final class RecentEvents {
    private final @Nullable EventText[] ring;
    private int oldest;
    private int size;

    RecentEvents(int capacity) {
        this.ring = new EventText[capacity];
    }

    /** Adds the newest; the number of the event that had to make room, 0 if none had to. */
    long add(EventText newest) {
        long gone = 0;
        if (size == ring.length) {
            gone = at(0).number();
            oldest = (oldest + 1) % ring.length;
            size--;
        }
        ring[(oldest + size) % ring.length] = newest;
        size++;
        return gone;
    }

    /** The next ones after this number. Takes the same few steps however many are kept: every client asks at every event. */
    List<EventText> after(long number, int limit) {
        int from = firstAfter(number);
        int to = Math.min(size, from + limit);
        List<EventText> next = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            next.add(at(i));
        }
        return next;
    }

    private int firstAfter(long number) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).number() > number) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private EventText at(int index) {
        EventText found = ring[(oldest + index) % ring.length];
        if (found == null) {
            throw new IllegalStateException("only " + size + " are kept, asked for number " + index);
        }
        return found;
    }

    void clear() {
        Arrays.fill(ring, null);
        oldest = 0;
        size = 0;
    }
}
