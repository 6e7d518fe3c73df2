package dev.holdfast.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The hook of docs/TRANSACTIONS.md in real transactions of Spring. */
@DisplayName("a lease left to a transaction of Spring")
class SpringTransactionTest {
    private static final Lease.Transaction SPRING = (beforeCommit, afterEnd) ->
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    beforeCommit.run();
                }

                @Override
                public void afterCompletion(int status) {
                    afterEnd.run();
                }
            });

    @TempDir
    Path directory;

    private final LockClient locks = LockClient.connect("memory:");
    private JdbcTemplate stock = new JdbcTemplate();
    private TransactionTemplate transaction = new TransactionTemplate();

    @BeforeEach
    void start() {
        DriverManagerDataSource source = new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("app.db"));
        stock = new JdbcTemplate(source);
        transaction = new TransactionTemplate(new JdbcTransactionManager(source));
        stock.execute("create table stock (pieces bigint not null)");
        stock.execute("insert into stock values (10)");
    }

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    @DisplayName("is released after the commit, though it was closed in the transaction")
    void commit() {
        transaction.executeWithoutResult(status -> {
            try (Lease lease = acquire()) {
                lease.releaseAfter(SPRING);
                stock.update("update stock set pieces = 9");
            }
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    assertThat(isFree()).as("free before the end").isFalse();
                }
            });
            assertThat(isFree()).as("free before the commit").isFalse();
        });
        assertThat(isFree()).isTrue();
        assertThat(pieces()).isEqualTo(9);
    }

    @Test
    @DisplayName("is released after a rollback")
    void rollback() {
        transaction.executeWithoutResult(status -> {
            acquire().releaseAfter(SPRING);
            stock.update("update stock set pieces = 9");
            status.setRollbackOnly();
        });
        assertThat(isFree()).isTrue();
        assertThat(pieces()).isEqualTo(10);
    }

    @Test
    @DisplayName("rolls the transaction back if it was lost")
    void lost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    Lease lease = acquire();
                    lease.releaseAfter(SPRING);
                    stock.update("update stock set pieces = 9");
                    locks.inspect().forceUnlock(lease.key(), lease.token(), "test");
                    assertThat(lease.extend(Duration.ofMinutes(1)))
                            .as("hears of it")
                            .isFalse();
                }));
        assertThat(pieces()).isEqualTo(10);
    }

    @Test
    @DisplayName("is released at once where there is no transaction, which is told")
    void withoutTransaction() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> acquire().releaseAfter(SPRING))
                .withMessageContaining("not active");
        assertThat(isFree()).isTrue();
    }

    private Lease acquire() {
        return locks.acquireUninterruptibly(locks.key("stock"), o -> {});
    }

    private boolean isFree() {
        return locks.inspect().get(locks.key("stock")).holders().isEmpty();
    }

    private Long pieces() {
        return stock.queryForObject("select pieces from stock", Long.class);
    }
}
