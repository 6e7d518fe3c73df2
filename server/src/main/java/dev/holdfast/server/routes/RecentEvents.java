package dev.holdfast.server.routes;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The newest events, in the order of their numbers; the oldest makes room for the newest. Not safe for several threads. */
final class RecentEvents {
    private final NavigableMap<Long, EventText> byNumber = new TreeMap<>();
    private final int capacity;

    RecentEvents(int capacity) {
        this.capacity = capacity;
    }

    /** Adds the newest; the number of the event that had to make room, 0 if none had to. */
    long add(EventText newest) {
        long gone = byNumber.size() < capacity ? 0 : byNumber.firstKey();
        byNumber.remove(gone);
        byNumber.put(newest.number(), newest);
        return gone;
    }

    /** The next ones after this number. Takes few steps however many are kept: every client asks at every event. */
    List<EventText> after(long number, int limit) {
        return byNumber.tailMap(number, false).values().stream().limit(limit).toList();
    }

    void clear() {
        byNumber.clear();
    }
}
