package dev.holdfast.testkit;

import dev.holdfast.model.Account;
import dev.holdfast.model.Done;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Records with every field set in every way a record may have it, from a seed. */
final class RandomRecords {
    private static final String[] TEXTS = {
        "plain",
        "with space ",
        "ümläut ß",
        "日本語",
        "😀🔒",
        "quote\"s",
        "it's",
        "back\\slash",
        "100%_",
        "a/b;c",
        "<&>",
        "\u00a0"
    };

    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    Stamp stamp() {
        return new Stamp(random.nextLong() | 1);
    }

    LeaseId leaseId() {
        return LeaseId.ofBits(random.nextLong(), random.nextLong());
    }

    Instant time() {
        return Times.ofMicros(
                1_700_000_000_000_000L + random.nextInt(Integer.MAX_VALUE) * 1_000L + random.nextInt(1_000));
    }

    String text() {
        StringBuilder text = new StringBuilder(any(TEXTS));
        while (random.nextBoolean() && text.length() < 400) {
            text.append(any(TEXTS));
        }
        return text.toString();
    }

    /** A record with holders, waiters, a past, and fields of a later version. */
    LockRecord record(RecordKey key) {
        List<Hold> holds = new ArrayList<>();
        List<Waiter> queue = new ArrayList<>();
        Map<EngineId, Instant> alive = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            holds.add(hold());
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            Waiter waiter = waiter();
            queue.add(waiter);
            alive.put(waiter.engine(), time());
        }
        return with(key, holds, queue, alive);
    }

    private LockRecord with(RecordKey key, List<Hold> holds, List<Waiter> queue, Map<EngineId, Instant> alive) {
        Map<String, String> extras = random.nextBoolean()
                ? Map.of()
                : Map.of("later", "{\"a\":[1,2.5,null,\"é\"],\"b\":{}}", "also", "\"text\"");
        int format = random.nextInt(5) == 0 ? LockRecord.FORMAT + 1 : LockRecord.FORMAT;
        return new LockRecord(format, key, stamp(), token(), holds, queue, alive, past(), extras);
    }

    /** A record nobody holds, with this fence. */
    LockRecord idle(RecordKey key, long fence) {
        return new LockRecord(
                LockRecord.FORMAT, key, stamp(), new Token(fence), List.of(), List.of(), Map.of(), Past.NONE, Map.of());
    }

    /** A record somebody holds, with this fence. */
    LockRecord busy(RecordKey key, long fence) {
        LockRecord idle = idle(key, fence);
        return new LockRecord(
                idle.format(), key, stamp(), idle.fence(), List.of(hold()), List.of(), Map.of(), Past.NONE, Map.of());
    }

    /** A record with this many holders. */
    LockRecord crowded(RecordKey key, int count) {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            holds.add(new Hold(
                    leaseId(),
                    Scope.of(LockPath.WHOLE, Mode.SHARED),
                    "owner-" + i,
                    token(),
                    time(),
                    time(),
                    time(),
                    Terms.of(Duration.ofSeconds(30)),
                    Hold.Phase.HELD,
                    Optional.empty(),
                    false));
        }
        return with(key, holds, List.of(), Map.of());
    }

    private Account account() {
        return switch (random.nextInt(3)) {
            case 0 -> Account.NONE;
            case 1 -> new Account("ci-" + random.nextInt(3), "");
            default -> new Account("ci-" + random.nextInt(3), "robots");
        };
    }

    Hold hold() {
        Hold.Phase phase = any(Hold.Phase.values());
        boolean never = random.nextInt(4) == 0;
        Duration lease = never ? Times.FOREVER : micros(Terms.MIN_LEASE, Terms.MAX_LEASE);
        Terms terms = new Terms(
                lease,
                random.nextBoolean() ? Duration.ZERO : Terms.renewal(lease),
                random.nextBoolean() ? Duration.ZERO : micros(Duration.ZERO, Terms.MAX_LEASE),
                metadata(),
                random.nextBoolean() ? "" : text(),
                account());
        Instant granted = time();
        Waiter place = waiter();
        return new Hold(
                place.leaseId(),
                place.scope(),
                place.owner(),
                token(),
                granted,
                random.nextBoolean() ? granted : time(),
                never ? Times.NEVER : time(),
                terms,
                phase,
                phase == Hold.Phase.OFFERED ? Optional.of(place) : Optional.empty(),
                random.nextBoolean());
    }

    Waiter waiter() {
        Duration claim = random.nextBoolean() ? Duration.ZERO : micros(Terms.MIN_LEASE, Waiter.MAX_CLAIM);
        EngineId engine = new EngineId("engine-" + random.nextInt(5) + "_.x");
        return new Waiter(leaseId(), scope(), text(), engine, claim, time(), random.nextBoolean());
    }

    private Scope scope() {
        Mode mode = switch (random.nextInt(3)) {
            case 0 -> Mode.EXCLUSIVE;
            case 1 -> Mode.SHARED;
            default -> Mode.permit(1 + random.nextInt(Mode.MAX_LIMIT));
        };
        if (random.nextBoolean()) {
            return Scope.of(LockPath.WHOLE, mode);
        }
        List<LockPath> paths = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            paths.add(LockPath.of("service-" + i + "/日本 " + TEXTS[random.nextInt(TEXTS.length - 4)]));
        }
        return new Scope(paths, mode);
    }

    private Map<String, String> metadata() {
        Map<String, String> metadata = new HashMap<>();
        switch (random.nextInt(4)) {
            case 0 -> metadata.put("everything", "x".repeat(Terms.MAX_METADATA - 10));
            case 1 -> {
                for (int i = 0; i < Terms.MAX_ENTRIES; i++) {
                    metadata.put("key " + i, "line\n\ttab \u0001 " + i);
                }
            }
            case 2 -> metadata.put(any(TEXTS), text());
            default -> {}
        }
        return metadata;
    }

    private Past past() {
        Past past = Past.NONE;
        for (int i = random.nextInt(Past.MAX_ENDED + 2); i > 0; i--) {
            LostReason how = any(LostReason.values());
            past = past.with(leaseId(), how, time());
        }
        return random.nextBoolean() ? past : past.with(new Done(text(), text(), token(), time()));
    }

    LockEvent event(RecordKey key, EventType type, Instant at) {
        return new LockEvent(
                type,
                key,
                scope(),
                random.nextLong(),
                text(),
                random.nextInt(4) == 0 ? Token.NONE : token(),
                at,
                micros(Duration.ZERO, Duration.ofDays(2)),
                text(),
                random.nextBoolean() ? "" : text(),
                metadata(),
                random.nextBoolean() ? "" : text());
    }

    private Token token() {
        return new Token(random.nextLong() >>> 1);
    }

    private <T> T any(T[] all) {
        return all[random.nextInt(all.length)];
    }

    private Duration micros(Duration from, Duration to) {
        long span = Times.micros(to) - Times.micros(from);
        return Times.ofMicrosLong(Times.micros(from) + Math.floorMod(random.nextLong(), span + 1));
    }
}
