package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Here because this module has a log that can be read. */
@DisplayName("A lease that was lost before it was closed")
class LeaseWarningsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Lease.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final LockClient locks = LockClient.connect("memory:");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
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
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
