package dev.holdfast.spi;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that keeps the events written with its records. */
public interface EventLog {
    /** Events that match, in the order asked. */
    CompletionStage<List<StoredEvent>> events(EventQuery query);

    /** Removes at most {@code limit} events older than {@code before}; completes with how many. */
    CompletionStage<Integer> forget(Instant before, int limit);

    /**
     * Adds events of another log under the numbers they have there, for moving a history. One whose number is taken is left out:
     * what is there stays, so the same events may be given again. Numbers given out from now on are greater than all of these.
     * Unlike events written with a record they are durable when this completes, on every store; after a failure any of them may be.
     *
     * @param events in the order of their numbers, at most {@value ScanRequest#MAX_LIMIT}
     */
    CompletionStage<Void> importAll(List<StoredEvent> events);

    /** How many events this process could not keep, on stores that keep them apart from the record; zero elsewhere. */
    default long lost() {
        return 0;
    }

    /**
     * An event and its number.
     *
     * @param number grows with time; numbers written at the same time by several processes may become visible out of order
     * @param event what happened
     */
    record StoredEvent(long number, LockEvent event) {}

    /**
     * Which events.
     *
     * @param namespace only this one
     * @param name only this lock
     * @param type only this kind
     * @param from not before
     * @param to before this
     * @param after only numbers above; the answer is then oldest first
     * @param before only numbers below; without {@code after} the answer is newest first
     * @param limit at most this many, 1 to {@value ScanRequest#MAX_LIMIT}
     * @param called only what goes by this name: locks with this name, and holds with this {@link HoldLabel}
     */
    record EventQuery(
            Optional<String> namespace,
            Optional<String> name,
            Optional<EventType> type,
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<Long> after,
            Optional<Long> before,
            int limit,
            Optional<String> called) {
        /** Without restriction by name or label. */
        public EventQuery(
                Optional<String> namespace,
                Optional<String> name,
                Optional<EventType> type,
                Optional<Instant> from,
                Optional<Instant> to,
                Optional<Long> after,
                Optional<Long> before,
                int limit) {
            this(namespace, name, type, from, to, after, before, limit, Optional.empty());
        }

        /** Checks the limit. */
        public EventQuery {
            if (limit < 1 || limit > ScanRequest.MAX_LIMIT) {
                throw new IllegalArgumentException(
                        "limit '" + limit + "' must be between 1 and " + ScanRequest.MAX_LIMIT);
            }
        }

        /** The newest events of everything. */
        public static EventQuery newest(int limit) {
            return new EventQuery(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    limit);
        }

        /** All events after this number, oldest first. */
        public static EventQuery after(long number, int limit) {
            return new EventQuery(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(number),
                    Optional.empty(),
                    limit);
        }

        /** The same, of one lock only. */
        public EventQuery of(String oneNamespace, String oneName) {
            return new EventQuery(
                    Optional.of(oneNamespace), Optional.of(oneName), type, from, to, after, before, limit, called);
        }

        /** The same, only of this namespace. */
        public EventQuery in(String one) {
            return new EventQuery(Optional.of(one), name, type, from, to, after, before, limit, called);
        }

        /** The same, only of this kind. */
        public EventQuery only(EventType kind) {
            return new EventQuery(namespace, name, Optional.of(kind), from, to, after, before, limit, called);
        }

        /** The same, from this time on. */
        public EventQuery since(Instant start) {
            return new EventQuery(
                    namespace, name, type, Optional.of(start), Optional.empty(), after, before, limit, called);
        }

        /** The same, from this time until before that. */
        public EventQuery between(Instant start, Instant end) {
            return new EventQuery(
                    namespace, name, type, Optional.of(start), Optional.of(end), after, before, limit, called);
        }

        /** The same, only what came before the event with this number: the page after the one that ended with it. */
        public EventQuery before(long number) {
            return new EventQuery(namespace, name, type, from, to, after, Optional.of(number), limit, called);
        }

        /** The same, only of locks and holds with this name or label. */
        public EventQuery called(String nameOrLabel) {
            return called(Optional.of(nameOrLabel));
        }

        /** The same, only of locks and holds with this name or label, if one is given. */
        public EventQuery called(Optional<String> nameOrLabel) {
            return new EventQuery(namespace, name, type, from, to, after, before, limit, nameOrLabel);
        }

        /** Whether an event with this number is asked for. */
        public boolean matches(long number, LockEvent event) {
            return namespace.map(event.key().namespace()::equals).orElse(true)
                    && name.map(event.key().name()::equals).orElse(true)
                    && type.map(event.type()::equals).orElse(true)
                    && from.map(t -> !event.at().isBefore(t)).orElse(true)
                    && to.map(t -> event.at().isBefore(t)).orElse(true)
                    && after.map(n -> number > n).orElse(true)
                    && before.map(n -> number < n).orElse(true)
                    && called.map(text -> isCalled(text, event)).orElse(true);
        }

        private static boolean isCalled(String text, LockEvent event) {
            return text.equals(event.key().name())
                    || text.equals(HoldLabel.of(event.key(), event.scope().paths(), event.metadata()));
        }
    }
}
