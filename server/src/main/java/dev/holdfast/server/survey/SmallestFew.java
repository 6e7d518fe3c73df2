package dev.holdfast.server.survey;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The first few of many, by an order; the others are not kept. Not safe for several threads. */
public final class SmallestFew<T> {
    private final int most;
    private final Comparator<T> order;
    /** The last of those kept is on top, to make room. */
    private final PriorityQueue<T> kept;

    public SmallestFew(int most, Comparator<T> order) {
        this.most = most;
        this.order = order;
        this.kept = new PriorityQueue<>(order.reversed());
    }

    public void add(T one) {
        T last = kept.peek();
        if (last == null || kept.size() < most) {
            kept.add(one);
        } else if (order.compare(one, last) < 0) {
            kept.poll();
            kept.add(one);
        }
    }

    public List<T> list() {
        return kept.stream().sorted(order).toList();
    }
}
