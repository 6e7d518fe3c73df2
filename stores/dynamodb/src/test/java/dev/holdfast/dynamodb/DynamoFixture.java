package dev.holdfast.dynamodb;

import dev.holdfast.engine.Machine;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.SettableClock;
import dev.holdfast.testkit.StoreFixture;
import dev.holdfast.testkit.TestMachine;
import dev.holdfast.testkit.servers.CuttableLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Tables of their own on a real server, reached over a line that can be cut. Answers tell the time of the test instead of the
 * server's, so that time passes only when told to, for it and for the machines alike; and it passes only while no request is
 * under way, however slow the server is.
 */
final class DynamoFixture implements StoreFixture {
    private static final int STEPS = 8;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SettableClock clock = new SettableClock(START);
    private final TestMachine machine = new TestMachine(clock, 42);
    private final Settling.Traffic traffic = new Settling.Traffic();
    private final UnaryOperator<RecordStore> opened;
    private final CuttableLine line = new CuttableLine(Dynamo.port());
    private final String table;

    private DynamoFixture(String table, UnaryOperator<RecordStore> opened) {
        this.table = table;
        this.opened = opened;
    }

    /** The store as it is. */
    static DynamoFixture plain() {
        return new DynamoFixture(Dynamo.freshTable(), store -> store);
    }

    /** The store as it is, with an index for listings. */
    static DynamoFixture indexed() {
        return new DynamoFixture(Dynamo.indexedTable(), store -> store);
    }

    /** The store for clients that wait for each other. */
    static DynamoFixture told() {
        Told.Listeners listeners = new Told.Listeners();
        return new DynamoFixture(Dynamo.freshTable(), store -> new Told(store, listeners));
    }

    @Override
    public RecordStore open() {
        DynamoConfig config = DynamoConfig.DEFAULT.withTime(clock).withSkew(Duration.ZERO);
        DateClock.Telling telling = new DateClock.Telling(Duration.ofNanos(1_000), answer -> Optional.of(clock.wall()));
        Place place = Dynamo.place(table, line.port());
        DynamoDbAsyncClient client = DynamoClients.of(place, config);
        return opened.apply(
                new Settling(DynamoStore.open(client, place, config, telling, client::close), traffic, clock));
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            step(time.dividedBy(STEPS));
        }
        step(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    private void step(Duration time) {
        traffic.whileTimePasses(() -> machine.advance(time));
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
    }
}
