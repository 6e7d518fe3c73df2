package dev.holdfast.server.demo;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** An hour at the imagined company, as its lock server would have noted it. The same every time, but for when it was. */
final class DemoHistory {
    private static final int SEED = 4_711;
    /** The last things end a little before the demo begins, so that nothing seems held that is not. */
    private static final Duration BEFORE_NOW = Duration.ofSeconds(20);
    /** One in so many holds ends by expiry. */
    private static final int EXPIRED = 14;
    /** One in so many is ended by an operator. */
    private static final int FORCED = 45;

    private final Random random = new Random(SEED);
    private final Instant start;
    private final Instant end;
    private final List<LockEvent> all = new ArrayList<>();

    DemoHistory(Instant start, Instant now) {
        this.start = start;
        this.end = now.minus(BEFORE_NOW);
    }

    /** In the order in which it happened, numbered. */
    List<StoredEvent> events() {
        LockKey shop = LockKey.of("deploy", "stack:shop:env:prod");
        lane(shop.at("checkout"), Mode.EXCLUSIVE, List.of("ci-runner-2", "ci-runner-5"), "deploy checkout", 90, 260);
        lane(shop.at("web/api"), Mode.EXCLUSIVE, List.of("ci-runner-5", "ci-runner-7"), "deploy web/api", 60, 200);
        lane(
                LockKey.of("deploy", "stack:shop:env:staging"),
                Mode.EXCLUSIVE,
                List.of("github-actions-8841", "github-actions-8846"),
                "OperationTypeApply",
                120,
                400);
        lane(
                LockKey.of("billing", "invoice-run"),
                Mode.EXCLUSIVE,
                List.of("billing-0", "billing-1", "billing-2"),
                "invoices of September",
                20,
                70);
        lane(
                LockKey.of("sync", "sync").at("project/atlas"),
                Mode.EXCLUSIVE,
                List.of("sync-6f9c-x2vqd", "sync-6f9c-8kwlz"),
                "nightly sync of atlas",
                25,
                120);
        lane(
                LockKey.of("catalog", "search-index"),
                Mode.SHARED,
                List.of("cache-b", "cache-c"),
                "warm-up from the index",
                10,
                60);
        lane(
                LockKey.of("payments", "provider-api"),
                Mode.permit(2),
                List.of("web-1", "web-2", "web-3", "web-4"),
                "at most two calls at a time",
                2,
                45);
        granted(DemoPast.MIGRATION, "alice@laptop-7", "adding an index by hand", Duration.ofMinutes(43));
        granted(DemoPast.DEAD_STACK.lock(), "mia@ci-runner-3", "OperationTypeApply", Duration.ofMinutes(26));
        all.sort(Comparator.comparing(LockEvent::at));
        return IntStream.range(0, all.size())
                .mapToObj(i -> new StoredEvent(i + 1L, all.get(i)))
                .toList();
    }

    /** One hold after the other, until now; who comes while another holds has waited for it. */
    private void lane(LockKey key, Mode mode, List<String> owners, String reason, int shortest, int longest) {
        Instant time = start.plusSeconds(random.nextInt(60));
        Duration waited = Duration.ZERO;
        for (int turn = 0; ; turn++) {
            Duration held = millis(shortest * 1_000, longest * 1_000);
            if (time.plus(held).isAfter(end)) {
                return;
            }
            Hold hold = new Hold(key, mode, owners.get(turn % owners.size()), reason, time);
            note(hold, EventType.ACQUIRED, time, waited, hold.owner, reason);
            Instant over = time.plus(held);
            if (random.nextInt(FORCED) == 0) {
                note(hold, EventType.FORCED, over, held, "oncall-jonas", "its runner is gone");
            } else {
                EventType how = random.nextInt(EXPIRED) == 0 ? EventType.EXPIRED : EventType.RELEASED;
                note(hold, how, over, held, hold.owner, reason);
            }
            boolean next = random.nextInt(3) > 0;
            waited = next ? millis(0, (int) held.toMillis()) : Duration.ZERO;
            time = next ? over : over.plus(millis(2_000, 90_000));
            if (next && time.plusSeconds(longest).isBefore(end)) {
                Hold waiting = new Hold(key, mode, owners.get((turn + 1) % owners.size()), reason, time);
                event(waiting, EventType.QUEUED, time.minus(waited), Duration.ZERO, Token.NONE, waiting.owner, reason);
            } else {
                waited = Duration.ZERO;
            }
        }
    }

    private void granted(LockKey key, String owner, String reason, Duration ago) {
        Instant at = end.plus(BEFORE_NOW).minus(ago);
        note(new Hold(key, Mode.EXCLUSIVE, owner, reason, at), EventType.ACQUIRED, at, Duration.ZERO, owner, reason);
    }

    private record Hold(LockKey key, Mode mode, String owner, String reason, Instant since) {
        /** As a store on a clock gives them. */
        Token token() {
            return new Token(Times.micros(since));
        }
    }

    private void note(Hold hold, EventType type, Instant at, Duration lasted, String actor, String reason) {
        event(hold, type, at, lasted, hold.token(), actor, reason);
    }

    private void event(
            Hold hold, EventType type, Instant at, Duration lasted, Token token, String actor, String reason) {
        all.add(new LockEvent(
                type,
                hold.key.record(),
                Scope.of(hold.key.path(), hold.mode),
                LeaseId.ofBits(hold.since.toEpochMilli(), hold.owner.hashCode()).fingerprint(),
                hold.owner,
                token,
                at,
                lasted,
                actor,
                reason,
                Map.of(),
                ""));
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + (to > from ? random.nextInt(to - from) : 0));
    }
}
