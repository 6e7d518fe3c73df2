package dev.holdfast.wire.backup;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** All events of a log by number, read a page at a time. */
public final class EventPages implements Iterator<StoredEvent> {
    private static final int PAGE = 500;

    private final EventLog log;
    private final Deque<StoredEvent> page = new ArrayDeque<>();
    private long last;
    private boolean over;

    public EventPages(EventLog log) {
        this(log, 0);
    }

    public EventPages(EventLog log, long after) {
        this.log = log;
        this.last = after;
    }

    /** The greatest token that the history of this store tells of. */
    public static Token newest(RecordStore store) {
        Token newest = Token.NONE;
        if (store instanceof EventLog log) {
            for (EventPages events = new EventPages(log); events.hasNext(); ) {
                newest = DocumentPages.later(newest, events.next().event().token());
            }
        }
        return newest;
    }

    @Override
    public boolean hasNext() {
        if (page.isEmpty() && !over) {
            page.addAll(Uninterruptibly.answer(log.events(EventQuery.after(last, PAGE))));
            over = page.isEmpty();
            last = over ? last : page.getLast().number();
        }
        return !page.isEmpty();
    }

    /** The next ones, as many as were read at once. */
    public List<StoredEvent> nextPage() {
        peek();
        List<StoredEvent> all = List.copyOf(page);
        page.clear();
        return all;
    }

    /** The next one, which stays the next one. */
    public StoredEvent peek() {
        if (!hasNext()) {
            throw new NoSuchElementException("there are no more events");
        }
        return page.getFirst();
    }

    @Override
    public StoredEvent next() {
        peek();
        return page.removeFirst();
    }
}
