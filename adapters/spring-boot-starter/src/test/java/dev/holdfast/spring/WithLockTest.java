package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockBusyException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spring.fake.FakeLocksConfiguration;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.Rival;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.util.AopTestUtils;

@DisplayName("A method marked @WithLock")
class WithLockTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withUserConfiguration(FakeLocksConfiguration.class, Jobs.class)
            .withBean("others", Others.class)
            .withPropertyValues("holdfast.wait=5s", "region=eu");

    @Retention(RetentionPolicy.RUNTIME)
    @WithLock(name = "composed", onBusy = OnBusy.FAIL)
    @interface Exclusively {}

    /** Beans need no interface, and no public constructor. */
    static class Jobs {
        final List<String> seen = new ArrayList<>();
        private final FakeLocks locks;
        private final Others others;
        Runnable work = () -> {};

        Jobs(FakeLocks locks, Others others) {
            this.locks = locks;
            this.others = others;
        }

        public String getZone() {
            return "z1";
        }

        private void see(String name) {
            seen.add(name);
            assertThat(locks.isHeld(LockKey.of("default", name)))
                    .as(name + " is held")
                    .isTrue();
            work.run();
        }

        @WithLock(name = "sync-project-{#key}", reason = "asked for {#key}")
        public String project(String key) {
            see("sync-project-" + key);
            return key;
        }

        @WithLock(name = "${region}-{#p0}-{zone}-{@others.suffix}", lease = "${lease:1m}", waitUpTo = "1s")
        void texts(int number) {
            see("eu-" + number + "-z1-end");
        }

        @WithLock(name = "sync", path = "project/{#key}", namespace = "jobs", onBusy = OnBusy.FAIL)
        void part(String key) {
            seen.add(CurrentLease.get().key().toString());
            work.run();
        }

        @WithLock(name = "report", onBusy = OnBusy.SKIP)
        void nothing() {
            see("report");
        }

        @WithLock(name = "report", onBusy = OnBusy.SKIP)
        String text() {
            see("report");
            return "done";
        }

        @WithLock(name = "report", onBusy = OnBusy.SKIP, waitUpTo = "2s")
        Optional<String> optional() {
            see("report");
            return Optional.of("done");
        }

        @WithLock(name = "report", onBusy = OnBusy.SKIP)
        CompletionStage<String> stage(CompletionStage<String> given) {
            see("report");
            return given;
        }

        @WithLock(name = "report", onBusy = OnBusy.FAIL)
        int number() {
            see("report");
            return 1;
        }

        @WithLock(name = "report", minHold = "10m")
        void shortly() {
            see("report");
        }

        @WithLock(name = "report")
        CompletionStage<String> noStage(Optional<RuntimeException> failure) {
            see("report");
            if (failure.isPresent()) {
                throw failure.get();
            }
            return null;
        }

        @WithLock(name = "outer", path = "below")
        void inPart() {
            others.neighbour();
            others.whole();
        }

        @Exclusively
        void composed() {
            see("composed");
        }

        @WithLock(name = "fails")
        void fails(Exception with) throws Exception {
            see("fails");
            throw with;
        }

        @WithLock(name = "sleeps", interruptOnLoss = true)
        void sleeps() throws InterruptedException {
            see("sleeps");
            Thread.sleep(60_000);
        }

        @WithLock(name = "unaware", interruptOnLoss = true)
        void unaware() {
            see("unaware");
        }

        @WithLock(name = "outer")
        void nested() {
            see("outer");
            others.again();
            Lease lease = CurrentLease.get();
            assertThat(lease.key().name()).as("the innermost is over").isEqualTo("outer");
        }
    }

    static class Others {
        final List<String> seen = new ArrayList<>();

        public String getSuffix() {
            return "end";
        }

        @WithLock(name = "outer", path = "below", onBusy = OnBusy.FAIL)
        void again() {
            seen.add("again");
        }

        @WithLock(name = "outer", path = "below-2", onBusy = OnBusy.FAIL)
        void neighbour() {
            seen.add(CurrentLease.get().key().path().value());
        }

        @WithLock(name = "outer", onBusy = OnBusy.FAIL)
        void whole() {
            seen.add("whole");
        }
    }

    private void run(BiConsumer<Jobs, FakeLocks> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            Jobs bean = context.getBean(Jobs.class);
            test.accept(bean, context.getBean(FakeLocks.class));
        });
    }

    /** The object behind the bean, whose fields count. */
    private static Jobs behind(Jobs bean) {
        return (Jobs) AopTestUtils.<Object>getUltimateTargetObject(bean);
    }

    @Test
    @DisplayName("runs under the lock of its name, with its parameters in it, and frees it")
    void runs() {
        run((jobs, locks) -> {
            behind(jobs).work = () -> {
                Lease lease = CurrentLease.get();
                assertThat(locks.holder("sync-project-a").orElseThrow())
                        .matches(holder -> holder.reason().equals("asked for a"))
                        .matches(holder -> holder.token().equals(lease.token()));
            };
            assertThat(jobs.project("a")).isEqualTo("a");
            assertThat(behind(jobs).seen).containsExactly("sync-project-a");
            assertThat(locks.openLeases()).isEmpty();
            assertThat(CurrentLease.find()).isEmpty();
            assertThatThrownBy(CurrentLease::get).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    @DisplayName("has placeholders, properties of the bean and other beans in its texts")
    void texts() {
        run((jobs, locks) -> {
            behind(jobs).work = () -> assertThat(locks.holder("eu-7-z1-end")
                            .orElseThrow()
                            .expiresAt()
                            .orElseThrow())
                    .isEqualTo(locks.now().plus(Duration.ofMinutes(1)));
            jobs.texts(7);
            behind(jobs).work = () -> {};
            jobs.composed();
            assertThat(behind(jobs).seen).containsExactly("eu-7-z1-end", "composed");
        });
    }

    @Test
    @DisplayName("can lock a part; a part and the whole exclude each other, two parts do not")
    void parts() {
        run((jobs, locks) -> {
            Rival other = locks.busy(LockKey.of("jobs", "sync").at("project/b"));
            jobs.part("a");
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> jobs.part("b"));
            other.free();
            locks.busy(LockKey.of("jobs", "sync"));
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> jobs.part("a"))
                    .withMessageContaining("somebody-else");
            assertThat(behind(jobs).seen).hasSize(1);
        });
    }

    @Test
    @DisplayName("waits for the lock, and fails with the holder's name when its time is over")
    void waits() {
        run((jobs, locks) -> {
            Rival other = locks.busy("sync-project-a");
            Instant before = locks.now();
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> jobs.project("a"))
                    .withMessageContaining("somebody-else");
            assertThat(locks.now()).isEqualTo(before.plus(Duration.ofSeconds(5)));
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> jobs.project("a"));
            locks.awaitWaiting("sync-project-a", 1);
            other.free();
            assertThat(waiting).succeedsWithin(Duration.ofSeconds(60)).isEqualTo("a");
        });
    }

    @Test
    @DisplayName("is skipped when the lock is busy, and returns nothing, null, empty, or a stage that is completed")
    void skipped() {
        run((jobs, locks) -> {
            Rival other = locks.busy("report");
            jobs.nothing();
            assertThat(jobs.text()).isNull();
            assertThat(jobs.optional()).isEmpty();
            assertThat(jobs.stage(new CompletableFuture<>())
                            .toCompletableFuture()
                            .join())
                    .isNull();
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::number);
            assertThat(behind(jobs).seen).isEmpty();
            other.free();
            jobs.nothing();
            assertThat(jobs.text()).isEqualTo("done");
            assertThat(jobs.optional()).contains("done");
            assertThat(jobs.number()).isEqualTo(1);
        });
    }

    @Test
    @DisplayName("is not skipped, and not run, when the store fails: that is told")
    void outage() {
        run((jobs, locks) -> {
            try (FakeLocks.Outage outage = locks.outage()) {
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(jobs::nothing);
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> jobs.stage(new CompletableFuture<>()));
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> jobs.project("a"));
            }
            assertThat(behind(jobs).seen).isEmpty();
        });
    }

    @Test
    @DisplayName("throws what it throws, and frees the lock")
    void fails() {
        run((jobs, locks) -> {
            assertThatThrownBy(() -> jobs.fails(new IOException("disk"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> jobs.fails(new InterruptedException("mine")))
                    .isInstanceOf(InterruptedException.class)
                    .hasMessage("mine");
            assertThat(locks.openLeases()).isEmpty();
        });
    }

    @Test
    @DisplayName("that lost its lock throws LeaseLostException at its end, or adds it to its own exception")
    void lost() {
        run((jobs, locks) -> {
            behind(jobs).work = () -> locks.lose("sync-project-a", LostReason.FORCED);
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.project("a"));
            behind(jobs).work = () -> locks.lose("report", LostReason.STORE_UNREACHABLE);
            assertThatExceptionOfType(LeaseLostException.class)
                    .as("not taken for busy")
                    .isThrownBy(jobs::nothing);
            behind(jobs).work = () -> locks.lose("fails", LostReason.PAUSED);
            assertThatThrownBy(() -> jobs.fails(new IOException("disk")))
                    .isInstanceOf(IOException.class)
                    .satisfies(e ->
                            assertThat(e.getSuppressed()).hasSize(1).hasOnlyElementsOfType(LeaseLostException.class));
        });
    }

    @Test
    @DisplayName("is interrupted when its lock is lost, if it wants to be, and nothing after it is")
    void interruptedByLoss() {
        run((jobs, locks) -> {
            behind(jobs).work = () -> locks.lose("sleeps", LostReason.FORCED);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(jobs::sleeps)
                    .satisfies(e ->
                            assertThat(e.getSuppressed()).hasSize(1).hasOnlyElementsOfType(InterruptedException.class));
            assertThat(Thread.interrupted()).isFalse();
            behind(jobs).work = () -> {
                locks.lose("unaware", LostReason.FORCED);
                long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                while (!Thread.currentThread().isInterrupted() && System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            };
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(jobs::unaware);
            assertThat(Thread.interrupted()).as("though it did not notice").isFalse();
        });
    }

    @Test
    @DisplayName(
            "that is interrupted while it waits is not run, and the interrupt stays where the method does not throw it")
    void interrupted() {
        run((jobs, locks) -> {
            locks.busy("sync-project-a");
            FutureTask<Boolean> waits = new FutureTask<>(() -> {
                assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> jobs.project("a"));
                return Thread.currentThread().isInterrupted();
            });
            Thread thread = new Thread(waits);
            thread.start();
            locks.awaitWaiting("sync-project-a", 1);
            thread.interrupt();
            assertThat(waits).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
            assertThat(behind(jobs).seen).isEmpty();
        });
    }

    @Test
    @DisplayName("fails when a part of its name is null, since calls with nothing in common would share a lock")
    void nullName() {
        run((jobs, locks) -> {
            assertThatThrownBy(() -> jobs.project(null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'{#key}' in 'sync-project-{#key}' is null");
            assertThat(behind(jobs).seen).isEmpty();
        });
    }

    @Test
    @DisplayName(
            "runs under the lease that its thread has already, for the same lock or a part of it, while it is valid")
    void reentrant() {
        application.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            FakeLocks locks = context.getBean(FakeLocks.class);
            jobs.nested();
            assertThat(context.getBean(Others.class))
                    .extracting(others -> ((Others) AopTestUtils.<Object>getUltimateTargetObject(others)).seen)
                    .isEqualTo(List.of("again"));
            behind(jobs).work = () -> locks.lose("outer", LostReason.FORCED);
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(jobs::nested);
            assertThat(context.getBean(Others.class))
                    .as("not called again")
                    .extracting(others -> ((Others) AopTestUtils.<Object>getUltimateTargetObject(others)).seen)
                    .isEqualTo(List.of("again"));
            assertThat(locks.openLeases()).isEmpty();
        });
    }

    @Test
    @DisplayName("that holds a part takes a lock of its own for a neighbour, and is not let into the whole")
    void partHeld() {
        run((jobs, locks) -> {
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::inPart);
            assertThat(behind(jobs).others)
                    .extracting(others -> ((Others) AopTestUtils.<Object>getUltimateTargetObject(others)).seen)
                    .isEqualTo(List.of("below-2"));
            assertThat(locks.openLeases()).isEmpty();
        });
    }

    @Test
    @DisplayName("that returns sooner than its minimum hold keeps the lock busy until then")
    void minHold() {
        run((jobs, locks) -> {
            jobs.shortly();
            assertThat(locks.isHeld("report")).isTrue();
            locks.advance(Duration.ofMinutes(11));
            assertThat(locks.isHeld("report")).isFalse();
        });
    }

    @Test
    @DisplayName("that should return a stage, and returns none or throws, frees the lock")
    void noStage() {
        run((jobs, locks) -> {
            assertThat(jobs.noStage(Optional.empty())).isNull();
            assertThat(locks.isHeld("report")).isFalse();
            assertThatThrownBy(() -> jobs.noStage(Optional.of(new IllegalStateException("broken"))))
                    .hasMessage("broken");
            assertThat(locks.isHeld("report")).isFalse();
            behind(jobs).work = () -> locks.lose("report", LostReason.FORCED);
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.noStage(Optional.empty()));
            assertThatThrownBy(() -> jobs.noStage(Optional.of(new IllegalStateException("broken"))))
                    .hasMessage("broken")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(LeaseLostException.class));
        });
    }

    @Test
    @DisplayName("that returns a stage holds the lock until it is completed, and is completed after the release")
    void stage() {
        run((jobs, locks) -> {
            CompletableFuture<String> given = new CompletableFuture<>();
            CompletableFuture<String> result = jobs.stage(given).toCompletableFuture();
            locks.advance(Duration.ofMinutes(5));
            assertThat(locks.isHeld("report")).isTrue();
            assertThat(result).isNotDone();
            given.complete("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(60)).isEqualTo("done");
            assertThat(locks.isHeld("report")).isFalse();

            CompletableFuture<String> failing = jobs.stage(CompletableFuture.failedFuture(new IOException("disk")))
                    .toCompletableFuture();
            assertThatThrownBy(failing::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IOException.class);
            assertThat(locks.openLeases()).isEmpty();
        });
    }

    @Test
    @DisplayName("that returns a stage and lost its lock fails it; whoever cancels it cancels the work")
    void lostStage() {
        run((jobs, locks) -> {
            CompletableFuture<String> given = new CompletableFuture<>();
            CompletableFuture<String> result = jobs.stage(given).toCompletableFuture();
            locks.lose("report", LostReason.FORCED);
            given.complete("done");
            assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);

            CompletableFuture<String> failed = new CompletableFuture<>();
            CompletableFuture<String> both = jobs.stage(failed).toCompletableFuture();
            locks.lose("report", LostReason.FORCED);
            failed.completeExceptionally(new IOException("disk"));
            assertThatThrownBy(() -> both.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(IOException.class)
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .hasOnlyElementsOfType(LeaseLostException.class)
                            .hasSize(1));

            CompletableFuture<String> second = new CompletableFuture<>();
            jobs.stage(second).toCompletableFuture().cancel(true);
            assertThat(second).isCancelled();
            assertThat(locks.openLeases()).isEmpty();
        });
    }
}
