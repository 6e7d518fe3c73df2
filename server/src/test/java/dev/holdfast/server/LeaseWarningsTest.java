package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.server.observe.logs.LoggedLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Here because this module has a log that can be read. */
@DisplayName("A lease that was lost before it was closed")
class LeaseWarningsTest {
    private final LoggedLines log = LoggedLines.of(Lease.class);
    private final LockClient locks = LockClient.connect("memory:");

    @AfterEach
    void close() {
        log.close();
        locks.close();
    }

    @Test
    @DisplayName("is warned about with the reason if nobody looked")
    void unnoticed() throws InterruptedException {
        try (Lease lease = locks.acquire("report")) {
            locks.inspect().forceUnlock(lease.key(), lease.token(), "test");
        }
        assertThat(warnings()).singleElement().asString().contains("default:report", "FORCED", "ensureValid()");
    }

    @Test
    @DisplayName("is not warned about if its holder looked, or was told")
    void noticed() throws InterruptedException {
        try (Lease lease = locks.acquire("report")) {
            lease.onLost(reason -> {});
            locks.inspect().forceUnlock(lease.key(), lease.token(), "test");
        }
        try (Lease lease = locks.acquire("report")) {
            locks.inspect().forceUnlock(lease.key(), lease.token(), "test");
            assertThat(lease.release()).isFalse();
        }
        try (Lease lease = locks.acquire("report")) {
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(warnings()).isEmpty();
    }

    private List<String> warnings() {
        return log.lines(Level.WARN);
    }
}
