package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The store's time, what it says of itself, and its end. */
abstract class ClockAndCloseCases extends StoreCases {

    @Test
    @DisplayName("once measured, the clock can be read, and its bounds are in order")
    void clockIsKnownOnceMeasured() {
        Await.get(store().clock().measure());
        StoreClock.Reading reading = store().clock().now().orElseThrow();
        assertThat(reading.latest()).isAfterOrEqualTo(reading.earliest());
    }

    @Test
    @DisplayName("the clock goes forward, about as fast as time passes")
    void clockGoesForward() {
        Await.get(store().clock().measure());
        StoreClock.Reading before = store().clock().now().orElseThrow();
        fixture().advance(Duration.ofMillis(500));
        Await.get(store().clock().measure());
        StoreClock.Reading after = store().clock().now().orElseThrow();
        assertThat(after.latest()).isAfterOrEqualTo(before.earliest().plusMillis(500));
        assertThat(after.earliest()).isBefore(before.latest().plusSeconds(30));
        assertThat(after.earliest()).isAfterOrEqualTo(before.earliest());
    }

    @Test
    @DisplayName("two clients agree about the time within their bounds")
    void clientsAgree() {
        try (RecordStore second = fixture().open()) {
            Await.get(store().clock().measure());
            Await.get(second.clock().measure());
            Instant before = store().clock().now().orElseThrow().earliest();
            StoreClock.Reading other = second.clock().now().orElseThrow();
            Instant after = store().clock().now().orElseThrow().latest();
            assertThat(other.latest()).isAfterOrEqualTo(before);
            assertThat(other.earliest()).isBeforeOrEqualTo(after);
        }
    }

    @Test
    @DisplayName("what the store says of itself makes sense")
    void traits() {
        StoreTraits traits = store().traits();
        assertThat(traits.name()).matches("[a-z0-9]+");
        assertThat(traits.writers()).isPositive();
        assertThat(traits.maxBatch()).isPositive();
        assertThat(traits.pollInterval()).isBetween(Duration.ofMillis(10), Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("after close every request fails as unavailable, and none hangs")
    void closedStoreRefuses() {
        assumeTrue(fixture().endsOnClose(), "all clients of this store are one object");
        RecordStore closed = fixture().open();
        closed.close();
        assertUnavailable(closed.read(KEY));
        assertUnavailable(closed.write(List.of(absent(random.busy(KEY, 5)))));
        assertUnavailable(closed.scan(ScanRequest.all()));
        if (closed instanceof EventLog log) {
            assertUnavailable(log.events(EventLog.EventQuery.newest(1)));
            assertUnavailable(log.forget(Instant.EPOCH, 1));
        }
        assertThat(read(KEY)).isEmpty();
    }

    @Test
    @DisplayName("closing twice does no harm, and other clients go on")
    void closedTwice() {
        RecordStore other = fixture().open();
        other.close();
        other.close();
        put(random.busy(KEY, 5));
    }

    @Test
    @DisplayName("requests under way when the store is closed end, one way or the other")
    void requestsUnderWayEnd() {
        RecordStore closing = fixture().open();
        List<CompletableFuture<?>> under = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Object> done = new CompletableFuture<>();
            DaemonThreads.start(
                    "reader", () -> closing.read(KEY).whenComplete((value, failure) -> done.complete(true)));
            under.add(done);
        }
        closing.close();
        under.forEach(Await::get);
    }

    @Test
    @DisplayName("behind a line that is cut a request fails by name, and works again once it is healed")
    void cutLine() {
        assumeTrue(fixture().line().isPresent(), "this fixture has no line to cut");
        StoreFixture.Line line = fixture().line().orElseThrow();
        put(random.busy(KEY, 5));
        line.cut();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> read(KEY));
        line.heal();
        assertThat(read(KEY)).isPresent();
    }

    private static void assertUnavailable(CompletionStage<?> stage) {
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(stage));
    }
}
