package dev.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How code under test and its tests look: a job that only one instance of a service does, page by page. */
@DisplayName("the nightly export")
@ExtendWith(FakeLocksExtension.class)
class NightlyExportTest {
    /** The code under test. */
    static final class NightlyExport {
        enum Result {
            EXPORTED,
            ALREADY_RUNNING,
            GIVEN_UP,
            TRY_LATER
        }

        private final LockClient locks;
        private final Consumer<String> pages;
        private final int count;

        NightlyExport(LockClient locks, int count, Consumer<String> pages) {
            this.locks = locks;
            this.count = count;
            this.pages = pages;
        }

        Result run() throws InterruptedException {
            try {
                Attempt<Token> attempt = locks.tryExecute(
                        "nightly-export", o -> o.waitUpTo(Duration.ofSeconds(5)), this::exportPages);
                return attempt.fold(
                        done -> Result.EXPORTED, busy -> Result.ALREADY_RUNNING, lost -> Result.GIVEN_UP);
            } catch (StoreException e) {
                return Result.TRY_LATER;
            }
        }

        private void exportPages(Lease lease) {
            for (int page = 1; page <= count && lease.isValid(); page++) {
                pages.accept("page " + page);
            }
        }
    }

    private final List<String> exported = new ArrayList<>();
    private Consumer<String> afterPage = page -> {};
    private NightlyExport export;

    @BeforeEach
    void start(LockClient client) {
        export = new NightlyExport(client, 3, page -> {
            exported.add(page);
            afterPage.accept(page);
        });
    }

    @Test
    @DisplayName("exports all pages and frees the lock")
    void exports(FakeLocks locks) throws Exception {
        assertThat(export.run()).isEqualTo(NightlyExport.Result.EXPORTED);
        assertThat(exported).containsExactly("page 1", "page 2", "page 3");
        assertThat(locks.isHeld("nightly-export")).isFalse();
    }

    @Test
    @DisplayName("leaves it to the instance that is at it")
    void busy(FakeLocks locks) throws Exception {
        locks.busy("nightly-export");
        assertThat(export.run()).isEqualTo(NightlyExport.Result.ALREADY_RUNNING);
        assertThat(exported).isEmpty();
    }

    @Test
    @DisplayName("takes over from an instance that ends within five seconds")
    void takesOver(FakeLocks locks) throws Exception {
        Rival other = locks.busy("nightly-export");
        locks.advance(Duration.ofSeconds(9));
        other.die();
        locks.advance(Duration.ofSeconds(17)); // 4 s are left of its lease
        assertThat(export.run()).isEqualTo(NightlyExport.Result.EXPORTED);
    }

    @Test
    @DisplayName("keeps the lock however long a page takes")
    void slow(FakeLocks locks) throws Exception {
        afterPage = page -> locks.advance(Duration.ofMinutes(20));
        assertThat(export.run()).isEqualTo(NightlyExport.Result.EXPORTED);
    }

    @Test
    @DisplayName("stops in the middle when the lock is lost")
    void lost(FakeLocks locks) throws Exception {
        afterPage = page -> {
            if (page.equals("page 2")) {
                locks.lose("nightly-export", LostReason.PAUSED);
            }
        };
        assertThat(export.run()).isEqualTo(NightlyExport.Result.GIVEN_UP);
        assertThat(exported).containsExactly("page 1", "page 2");
    }

    @Test
    @DisplayName("exports nothing while the store is away, and works again afterwards")
    void outage(FakeLocks locks) throws Exception {
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThat(export.run()).isEqualTo(NightlyExport.Result.TRY_LATER);
        }
        assertThat(exported).isEmpty();
        assertThat(export.run()).isEqualTo(NightlyExport.Result.EXPORTED);
    }
}
