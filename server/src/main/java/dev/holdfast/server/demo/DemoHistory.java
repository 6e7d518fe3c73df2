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
        LockKey staging = LockKey.of("deploy", "stack:shop:env:staging");
        LockKey invoices = LockKey.of("billing", "invoice-run");
        LockKey atlas = LockKey.of("sync", "sync").at("project/atlas");
        LockKey index = LockKey.of("catalog", "search-index");
        LockKey provider = LockKey.of("payments", "provider-api");
        lane(shop.at("checkout"), Mode.EXCLUSIVE, "deploy checkout", 90, 260, "ci-runner-2", "ci-runner-5");
        lane(shop.at("web/api"), Mode.EXCLUSIVE, "deploy web/api", 60, 200, "ci-runner-5", "ci-runner-7");
        lane(staging, Mode.EXCLUSIVE, "OperationTypeApply", 120, 400, "github-actions-8841", "github-actions-8846");
        lane(invoices, Mode.EXCLUSIVE, "invoices of September", 20, 70, "billing-0", "billing-1", "billing-2");
        lane(atlas, Mode.EXCLUSIVE, "nightly sync of atlas", 25, 120, "sync-6f9c-x2vqd", "sync-6f9c-8kwlz");
        lane(index, Mode.SHARED, "warm-up from the index", 10, 60, "cache-b", "cache-c");
        lane(provider, Mode.permit(2), "at most two calls at a time", 2, 45, "web-1", "web-2", "web-3", "web-4");
        granted(DemoPast.MIGRATION, "alice@laptop-7", "adding an index by hand", Duration.ofMinutes(43));
        granted(DemoPast.DEAD_STACK.lock(), "mia@ci-runner-3", "OperationTypeApply", Duration.ofMinutes(26));
        all.sort(Comparator.comparing(LockEvent::at));
        return IntStream.range(0, all.size())
                .mapToObj(i -> new StoredEvent(i + 1L, all.get(i)))
                .toList();
    }

    /** One hold after the other, until now; who comes while another holds has waited for it. */
    private void lane(LockKey key, Mode mode, String reason, int shortest, int longest, String... owners) {
        Instant time = start.plusSeconds(random.nextInt(60));
        Duration waited = Duration.ZERO;
        for (int turn = 0; ; turn++) {
            Duration held = millis(shortest * 1_000, longest * 1_000);
            if (time.plus(held).isAfter(end)) {
                return;
            }
            DemoHold hold = new DemoHold(key, mode, owners[turn % owners.length], time);
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
                DemoHold waiting = new DemoHold(key, mode, owners[(turn + 1) % owners.length], time);
                note(waiting, EventType.QUEUED, time.minus(waited), Duration.ZERO, waiting.owner, reason);
            } else {
                waited = Duration.ZERO;
            }
        }
    }

    private void granted(LockKey key, String owner, String reason, Duration ago) {
        Instant at = end.plus(BEFORE_NOW).minus(ago);
        note(new DemoHold(key, Mode.EXCLUSIVE, owner, at), EventType.ACQUIRED, at, Duration.ZERO, owner, reason);
    }

    private record DemoHold(LockKey key, Mode mode, String owner, Instant since) {}

    private void note(DemoHold hold, EventType type, Instant at, Duration lasted, String actor, String reason) {
        // As a store on a clock gives them.
        Token token = type == EventType.QUEUED ? Token.NONE : new Token(Times.micros(hold.since));
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
