package dev.holdfast.server.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.server.survey.LockFilter;
import dev.holdfast.server.survey.SmallestFew;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What all locks in use add up to, and the few that are worth a look. Keeps only those few, however many it is shown. Not safe for
 * several threads.
 */
final class LockFigures implements Consumer<LockView> {
    /** Locks of each kind that are told one by one. */
    private static final int EACH = 10;
    /** Who waits longer than this is worth a look. */
    private static final Duration LONG_WAIT = Duration.ofMinutes(1);
    /** Of those who hold or wait for one lock, so many are told with it. */
    private static final int AT_A_LOCK = 3;

    private int busy;
    private int held;
    private int holders;
    private int waiting;
    private int stale;
    private int expiring;
    private Duration longestWait = Duration.ZERO;
    private boolean complete = true;
    private final SmallestFew<NotableLock> hottest = new SmallestFew<>(EACH, by(noted -> noted.waitingCaused));
    private final SmallestFew<NotableLock> longWaits = new SmallestFew<>(EACH, by(noted -> noted.longestWait));
    private final SmallestFew<NotableLock> staleOnes = new SmallestFew<>(EACH, by(noted -> noted.since(Holder::stale)));
    private final SmallestFew<NotableLock> expiringOnes =
            new SmallestFew<>(EACH, by(noted -> noted.since(noted::endsSoon)));

    private static Comparator<NotableLock> by(Function<NotableLock, Duration> longest) {
        return Comparator.comparing(longest).reversed().thenComparing(noted -> noted.lock.key());
    }

    private static final class NotableLock {
        private final LockView lock;
        private final Duration longestWait;
        private final Duration waitingCaused;

        NotableLock(LockView lock) {
            this.lock = lock;
            Duration longest = Duration.ZERO;
            Duration sum = Duration.ZERO;
            for (LockView.Waiting waiter : lock.waiters()) {
                Duration waits = positive(Duration.between(waiter.since(), lock.at()));
                longest = longest.compareTo(waits) < 0 ? waits : longest;
                sum = sum.plus(waits);
            }
            this.longestWait = longest;
            this.waitingCaused = sum;
        }

        private static Duration positive(Duration time) {
            return time.isNegative() ? Duration.ZERO : time;
        }

        boolean endsSoon(Holder holder) {
            return LockFilter.endsSoon(holder, lock.at());
        }

        /** For how long the first of these has not been renewed. */
        Duration since(Predicate<Holder> which) {
            return Duration.between(
                    lock.holders().stream()
                            .filter(which)
                            .map(Holder::renewedAt)
                            .min(Comparator.naturalOrder())
                            .orElse(Instant.MAX),
                    lock.at());
        }
    }

    @Override
    public void accept(LockView lock) {
        if (lock.isFree() && lock.waiters().isEmpty()) {
            return; // what ended and is not cleaned up yet
        }
        NotableLock noted = new NotableLock(lock);
        busy++;
        held += lock.isFree() ? 0 : 1;
        holders += lock.holders().size();
        waiting += lock.waiters().size();
        longestWait = longestWait.compareTo(noted.longestWait) < 0 ? noted.longestWait : longestWait;
        int gone = count(lock, Holder::stale);
        int ending = count(lock, holder -> !holder.stale() && noted.endsSoon(holder));
        stale += gone;
        expiring += ending;
        if (gone > 0) {
            staleOnes.add(noted);
        } else if (noted.longestWait.compareTo(LONG_WAIT) > 0) {
            longWaits.add(noted);
        }
        if (ending > 0) {
            expiringOnes.add(noted);
        }
        if (!lock.waiters().isEmpty()) {
            hottest.add(noted);
        }
    }

    private static int count(LockView lock, Predicate<Holder> which) {
        return (int) lock.holders().stream().filter(which).count();
    }

    LockFigures seen(boolean all) {
        complete = all;
        return this;
    }

    int holders() {
        return holders;
    }

    int waiting() {
        return waiting;
    }

    void write(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("locks");
        json.writeNumberField("busy", busy);
        json.writeNumberField("held", held);
        json.writeNumberField("holders", holders);
        json.writeNumberField("waiting", waiting);
        json.writeNumberField("stale", stale);
        json.writeNumberField("expiring", expiring);
        json.writeNumberField("longest_wait_ms", longestWait.toMillis());
        json.writeBooleanField("complete", complete);
        json.writeEndObject();
        write(json, "hottest", hottest);
        write(json, "stale", staleOnes);
        write(json, "long_waits", longWaits);
        write(json, "expiring", expiringOnes);
    }

    private static void write(JsonGenerator json, String name, SmallestFew<NotableLock> some) throws IOException {
        JsonText.objects(json, name, some.list(), (out, noted) -> {
            LockView lock = noted.lock;
            out.writeNumberField("holders", lock.holders().size());
            out.writeNumberField("waiters", lock.waiters().size());
            out.writeNumberField("waiting_ms", noted.waitingCaused.toMillis());
            out.writeNumberField("longest_wait_ms", noted.longestWait.toMillis());
            out.writeFieldName("lock");
            LockJson.lock(
                    out,
                    new LockView(
                            lock.key(),
                            few(lock.holders().stream()
                                    .sorted(Comparator.comparing(holder -> !holder.stale()))
                                    .toList()),
                            few(lock.waiters()),
                            lock.latestToken(),
                            lock.done(),
                            lock.at()));
        });
    }

    private static <T> List<T> few(List<T> many) {
        return many.subList(0, Math.min(AT_A_LOCK, many.size()));
    }
}
