package dev.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.testkit.Await;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lanes to a database")
class LanesTest {
    private static final Duration IDLE = Duration.ofMillis(200);

    private final Counting database = new Counting();
    private final Lanes lanes = Lanes.of(database, ConnectionRole.LISTER, 1, 2);

    @AfterEach
    void close() {
        lanes.close();
    }

    /** Counts the connections it makes. */
    private static final class Counting implements SqlDatabase, SqlFailures {
        private final AtomicInteger made = new AtomicInteger();

        @Override
        public Session connect(ConnectionRole role) throws SQLException {
            made.incrementAndGet();
            return new Session(DriverManager.getConnection("jdbc:sqlite::memory:"));
        }

        @Override
        public SqlFailures failures() {
            return this;
        }

        @Override
        public StoreException of(String doing, SQLException e) {
            return new StoreUnavailableException(doing, e);
        }

        @Override
        public boolean mayHaveCommitted(SQLException e) {
            return false;
        }

        @Override
        public boolean survives(ConnectionRole role, SQLException e) {
            return false;
        }

        @Override
        public Optional<Duration> keepsIdle() {
            return Optional.of(IDLE);
        }

        @Override
        public String place() {
            return "here";
        }
    }

    private int work() {
        return lanes.run("working", session -> 1);
    }

    @Test
    @DisplayName("one that lost its connection does not come before an open one, which is not closed for it either")
    void openFirst() throws Exception {
        lanes.open();
        CountDownLatch end = new CountDownLatch(1);
        Thread busy = new Thread(() -> lanes.run("working long", session -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return 1;
        }));
        busy.start();
        Await.until("the work is under way", () -> busy.getState() == Thread.State.WAITING);
        work(); // opens a second one beside
        assertThat(database.made).hasValue(2);
        end.countDown();
        busy.join();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> lanes.run("failing", session -> {
                    throw new SQLException("broken");
                }));
        work();
        TimeUnit.NANOSECONDS.sleep(IDLE.multipliedBy(3).toNanos());
        work();
        assertThat(database.made).hasValue(2);
    }
}
