package dev.holdfast.s3;

import dev.holdfast.engine.Machine;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.testkit.SettableClock;
import dev.holdfast.testkit.StoreFixture;
import dev.holdfast.testkit.TestMachine;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A bucket of its own on a real server, reached through a front that gives out turns and over a line that can be cut. The front tells
 * the server's time in a header of its own, exactly, so that time passes only when told to, for it and for the machines
 * alike; what is made of the Date that real servers tell is tested in {@link S3ClockTest}.
 */
final class S3Fixture implements StoreFixture {
    private static final int STEPS = 8;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String HEADER = "x-test-time";
    private static final ServerTime TIME = new ServerTime(HEADER, Duration.ofNanos(1_000), Instant::parse);

    private volatile Instant serverTime = START;
    private final SettableClock clock = new SettableClock(START, passed -> serverTime = START.plus(passed));
    private final TestMachine machine = new TestMachine(clock, 42);
    private final HttpFront front = new HttpFront(S3.server().port());
    private final CuttableLine line = new CuttableLine(front.port());
    private final String bucket = S3.server().freshBucket();
    private final UnaryOperator<RecordStore> opened;
    private final List<StoreClock> clocks = new CopyOnWriteArrayList<>();

    private S3Fixture(UnaryOperator<RecordStore> opened) {
        this.opened = opened;
        front.through((request, server) ->
                Optional.of(server.send(request)).map(answer -> answer.with(HEADER, serverTime.toString())));
    }

    /** The store as it is. */
    static S3Fixture plain() {
        return new S3Fixture(store -> store);
    }

    /** The store for engines in a time that stands still while they wait. */
    static S3Fixture settled() {
        List<Consumer<RecordKey>> listeners = new CopyOnWriteArrayList<>();
        return new S3Fixture(store -> new Settled(store, listeners));
    }

    @Override
    public RecordStore open() {
        S3Config config = S3Config.DEFAULT
                .withRequestTimeout(Duration.ofSeconds(15))
                .withClockSkew(Duration.ZERO)
                .withTime(clock);
        RecordStore store = S3Store.open(Place.of(S3.url(line.port(), bucket)), config, TIME);
        clocks.add(store.clock());
        return opened.apply(store);
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            step(time.dividedBy(STEPS));
            LockSupport.parkNanos(1_000_000);
        }
        step(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    private void step(Duration time) {
        machine.advance(time);
        // Real clocks drift apart a little in between; these do not, and the comparison with the rules is exact.
        for (StoreClock each : clocks) {
            try {
                each.measure().toCompletableFuture().join();
            } catch (CompletionException e) {
                // it was closed, or its line is cut
            }
        }
    }

    @Override
    public boolean skipsTime() {
        return true;
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
        front.close();
    }
}
