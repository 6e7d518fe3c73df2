package dev.holdfast.testkit.simulation;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.MeasuredClock;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One node's view of the {@link SimServer}: a network of messages that are late, lost, or arrive after all hope. */
final class SimStore implements RecordStore, Watchable {
    /** When a driver gives up on an answer. */
    private static final long TIMEOUT = Duration.ofMillis(1_500).toNanos();

    private static final RecordKey PING = new RecordKey("ping", "ping");

    private final World world;
    private final Node node;
    private final int life;
    private final SimServer server;
    private final SimulationPlan plan;
    private final Notices notices;
    private final MeasuredClock clock;
    private final StoreTraits traits;
    private boolean calm;
    private long cutUntil;
    private long lastSample;

    SimStore(World world, Node node, SimServer server, SimulationPlan plan, Notices notices) {
        this.world = world;
        this.node = node;
        this.life = node.life();
        this.server = server;
        this.plan = plan;
        this.notices = notices;
        this.clock = new MeasuredClock(
                node, plan.resolution, Duration.ZERO, () -> read(PING).thenApply(x -> null));
        this.traits = StoreTraits.of("simulated", plan.poll)
                .withExclusive(plan.exclusive)
                .withWriters(2)
                .withSingles(4)
                .withMaxBatch(plan.maxBatch);
    }

    /** Nothing reaches the store from here for this long. */
    void cutOff(long duration) {
        cutUntil = world.now() + duration;
    }

    void calm() {
        calm = true;
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return call(() -> server.read(key), false);
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        long sent = world.now();
        return call(() -> apply(writes, sent), true);
    }

    private List<WriteResult> apply(List<Write> writes, long sent) {
        List<WriteResult> results = new ArrayList<>();
        for (Write write : writes) {
            if (!calm && world.happens(plan.refuse)) { // somebody else has locked this row
                results.add(new WriteResult.Failed(new StoreUnavailableException("locked", null)));
                continue;
            }
            Write last = write;
            WriteResult result = server.write(write);
            if (result instanceof WriteResult.Refused refused && mayAskAgain()) {
                Optional<Write> instead = write.again().flatMap(again -> again.on(refused.current()));
                last = instead.orElse(write);
                result = instead.isPresent() ? server.write(last) : result;
            }
            if (result instanceof WriteResult.Applied && !last.wake().isNobody()) {
                notices.written(last);
            }
            if (result instanceof WriteResult.Refused && world.happens(plan.conflictsReturnOld)) {
                result = new WriteResult.Refused(server.readOld(write.key(), sent));
            }
            results.add(result);
        }
        return results;
    }

    /** Only a store within the process can, and not while that is paused or after its end. */
    private boolean mayAskAgain() {
        return plan.asksAgain && node.life() == life && !node.isPaused();
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return call(
                () -> new Page(
                        server.records().values().stream()
                                .filter(request.which()::matches)
                                .sorted(Comparator.comparing(record -> record.key()))
                                .map(Versioned::of)
                                .toList(),
                        Optional.empty()),
                false);
    }

    private <T> CompletionStage<T> call(Supplier<T> request, boolean changes) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!calm && (world.now() < cutUntil || world.happens(plan.refuse))) {
            node.plan(latency(), () -> answer.completeExceptionally(new StoreUnavailableException("refused", null)));
            return answer;
        }
        Anchor sent = Anchor.of(node);
        node.plan(TIMEOUT, () -> {
            if (!answer.isDone()) {
                answer.completeExceptionally(
                        changes
                                ? new OutcomeUnknownException("no answer", null)
                                : new StoreUnavailableException("no answer", null));
            }
        });
        if (lost()) {
            return answer;
        }
        world.in(latency(), () -> {
            if (plan.exclusive && node.life() != life) {
                return; // a store of one process dies with it: nothing arrives later
            }
            T result = request.get();
            Instant time = server.clock();
            long coarse = plan.resolution.toNanos();
            Instant said = Instant.ofEpochSecond(time.getEpochSecond(), time.getNano() / coarse * coarse);
            if (!lost() && node.life() == life) {
                node.plan(latency(), () -> {
                    if (!answer.isDone()) {
                        clock.sample(sent, said);
                        lastSample = world.now();
                        answer.complete(result);
                    }
                });
            }
        });
        return answer;
    }

    private boolean lost() {
        return !calm && world.happens(plan.lose);
    }

    private long latency() {
        if (!calm && world.happens(plan.dawdle)) {
            return world.millis(100, 4_000);
        }
        return world.happens(0.9) ? world.millis(0.2, 3) : world.millis(3, 60);
    }

    /** Whether the store's clock was told to this node lately: a step will be noticed. */
    boolean knowsWell() {
        return lastSample != 0
                && world.now() - lastSample < Duration.ofSeconds(15).toNanos()
                && !node.isPaused();
    }

    @Override
    public StoreClock clock() {
        return clock;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        return notices.add(node, engine, heard);
    }

    @Override
    public void close() {}
}
