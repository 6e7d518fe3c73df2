package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the time that S3 tells in whole seconds")
class S3ClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00.700Z");
    private static final Duration SKEW = Duration.ofMillis(500);
    private static final RecordKey KEY = new RecordKey("default", "lock");

    private volatile Instant serverTime = START;
    private volatile Duration shift = Duration.ZERO;
    private final SettableClock local =
            new SettableClock(Instant.parse("2020-05-05T05:05:05Z"), passed -> serverTime = START.plus(passed));
    private final HttpFront front = new HttpFront(S3.server().port());
    private RecordStore store;

    @BeforeEach
    void open() {
        front.through((request, server) -> Optional.of(server.send(request)
                .with(
                        "date",
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                serverTime.plus(shift).atOffset(ZoneOffset.UTC)))));
        S3Config config = S3Config.DEFAULT
                .withRequestTimeout(Duration.ofSeconds(15))
                .withClockSkew(SKEW)
                .withTime(local);
        store = S3Store.open(S3.url(front.port(), S3.server().freshBucket()), config);
    }

    @AfterEach
    void close() {
        store.close();
        front.close();
    }

    private StoreClock.Reading measured() {
        Await.get(store.clock().measure());
        return store.clock().now().orElseThrow();
    }

    private void pass(Duration time) {
        local.advance(time);
    }

    @Test
    @DisplayName(
            "is narrowed by many answers to the skew of its servers, and holds the true time whatever this machine shows")
    void narrows() {
        StoreClock.Reading first = measured();
        assertThat(Duration.between(first.earliest(), first.latest())).isGreaterThan(Duration.ofMillis(1_900));
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofMillis(330));
            StoreClock.Reading now = measured();
            assertThat(serverTime).isBetween(now.earliest(), now.latest());
        }
        StoreClock.Reading last = measured();
        assertThat(Duration.between(last.earliest(), last.latest()))
                .isLessThan(SKEW.multipliedBy(2).plusMillis(150));
    }

    @Test
    @DisplayName("may differ from server to server within the skew without being taken for a step")
    void skewed() {
        measured();
        for (int i = 0; i < 10; i++) {
            shift = i % 2 == 0 ? SKEW.minusMillis(10) : SKEW.minusMillis(10).negated();
            pass(Duration.ofMillis(700));
            assertThat(measured().trustedSince()).isEqualTo(Instant.MIN);
        }
    }

    @Test
    @DisplayName("that steps makes what was written before unfit to be judged by it")
    void steps() {
        for (Duration step : List.of(Duration.ofMinutes(5), Duration.ofMinutes(-5))) {
            shift = shift.plus(step);
            Instant trusted = measured().trustedSince();
            assertThat(trusted).isAfter(serverTime.plus(shift));
        }
    }

    @Test
    @DisplayName("decides whether it is too early for a take-over, and no wish of the client's does")
    void notBefore() {
        LockRecord record =
                LockRecord.empty(KEY).stamped(new Stamp(LeaseId.ofBits(1, 2).fingerprint()));
        Write first = Write.create(record);
        Await.get(store.write(List.of(first)));
        Versioned there = Await.get(store.read(KEY)).orElseThrow();
        Instant end = serverTime.plusSeconds(3);

        assertThat(takeOver(there, end)).isInstanceOf(WriteResult.TooEarly.class);
        pass(Duration.ofSeconds(3));
        assertThat(takeOver(there, end)).as("as far as is known").isInstanceOf(WriteResult.TooEarly.class);
        pass(Duration.ofSeconds(2));
        assertThat(takeOver(there, end)).isInstanceOf(WriteResult.Applied.class);
    }

    private WriteResult takeOver(Versioned there, Instant end) {
        Precondition when = new Precondition.Stamped(there.record().stamp(), there.tag(), Optional.of(end));
        Write write = Write.of(when, there.record().stamped(new Stamp(9)));
        return Await.get(store.write(List.of(write))).get(0);
    }
}
