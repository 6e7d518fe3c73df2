package dev.holdfast.test.example;

import static dev.holdfast.test.example.NightlyExport.Result.ALREADY_RUNNING;
import static dev.holdfast.test.example.NightlyExport.Result.EXPORTED;
import static dev.holdfast.test.example.NightlyExport.Result.GIVEN_UP;
import static dev.holdfast.test.example.NightlyExport.Result.TRY_LATER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.model.LostReason;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.FakeLocksExtension;
import dev.holdfast.test.Rival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How users test their code; docs/TESTING.md shows it. */
@DisplayName("the nightly export")
@ExtendWith(FakeLocksExtension.class)
class NightlyExportTest {
    private final List<String> exported = new ArrayList<>();
    private Consumer<String> afterPage = page -> {};
    private NightlyExport export;

    @BeforeEach
    void start(LockClient locks) {
        export = new NightlyExport(locks, List.of("p1", "p2", "p3"), page -> {
            exported.add(page);
            afterPage.accept(page);
        });
    }

    @Test
    @DisplayName("exports all pages and frees the lock")
    void exports(FakeLocks locks) throws Exception {
        assertThat(export.run()).isEqualTo(EXPORTED);
        assertThat(exported).containsExactly("p1", "p2", "p3");
        assertThat(locks.isHeld("nightly-export")).isFalse();
    }

    @Test
    @DisplayName("leaves it to the instance that is at it")
    void busy(FakeLocks locks) throws Exception {
        locks.busy("nightly-export");
        assertThat(export.run()).isEqualTo(ALREADY_RUNNING); // its wait of 5 s moves the clock by 5 s
        assertThat(exported).isEmpty();
    }

    @Test
    @DisplayName("takes over from an instance that died")
    void died(FakeLocks locks) throws Exception {
        Rival other = locks.busy("nightly-export");
        other.die(); // its lease lasts another 30 s
        locks.advance(Duration.ofSeconds(27));
        assertThat(export.run()).isEqualTo(EXPORTED);
    }

    @Test
    @DisplayName("keeps the lock however long a page takes")
    void slow(FakeLocks locks) throws Exception {
        afterPage = page -> locks.advance(Duration.ofMinutes(20));
        assertThat(export.run()).isEqualTo(EXPORTED);
    }

    @Test
    @DisplayName("stops in the middle when the lock is lost")
    void lost(FakeLocks locks) throws Exception {
        afterPage = page -> {
            if (page.equals("p2")) {
                locks.lose("nightly-export", LostReason.PAUSED);
            }
        };
        assertThat(export.run()).isEqualTo(GIVEN_UP);
        assertThat(exported).containsExactly("p1", "p2");
    }

    @Test
    @DisplayName("exports nothing while the store is away")
    void outage(FakeLocks locks) throws Exception {
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThat(export.run()).isEqualTo(TRY_LATER);
        }
        assertThat(exported).isEmpty();
        assertThat(export.run()).isEqualTo(EXPORTED);
    }

    @Test
    @DisplayName("waits for its turn")
    void waits(FakeLocks locks) throws Exception {
        Rival other = locks.busy("nightly-export");
        FutureTask<NightlyExport.Result> run = new FutureTask<>(export::run);
        new Thread(run).start();
        locks.awaitWaiting("nightly-export", 1);
        locks.advance(Duration.ofSeconds(4));
        other.free();
        assertThat(run.get()).isEqualTo(EXPORTED);
    }
}
