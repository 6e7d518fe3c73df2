package dev.holdfast.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers on virtual threads, as many as there are requests. Only where the JVM has such threads. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a carrier that is never free hangs
public abstract class VirtualThreadContract {
    private static final int LOCKS = 50;
    private static final Duration LONG = Duration.ofMinutes(2);

    private LockClient client = LockClient.connect("memory:");
    private ExecutorService virtual = Executors.newCachedThreadPool();

    @TempDir
    private Path directory;

    /** A client of a store, or of a server. */
    protected abstract LockClient connect(ClientConfig config);

    /** How many callers; a store on a disk takes longer for each. */
    protected int callers() {
        return 3_000;
    }

    @BeforeEach
    void open() throws ReflectiveOperationException {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with Java 21");
        client.close();
        virtual.shutdown();
        virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        client = connect(ClientConfig.DEFAULT.withExecutor(virtual));
    }

    @AfterEach
    void close() {
        client.close();
        virtual.shutdownNow();
    }

    @Test
    @DisplayName(
            "thousands of virtual threads take their turns at some locks, each alone, and none is pinned while it waits")
    void turns() throws Exception {
        try (Lease first = client.acquire("first")) {
            assertThat(first.isValid()).isTrue();
        }
        int[] turns = new int[LOCKS];
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < callers(); i++) {
                int lock = i % LOCKS;
                callers.add(virtual.submit(() -> {
                    try (Lease lease = client.acquire("lock-" + lock, o -> o.waitUpTo(LONG))) {
                        int before = turns[lock]; // only the lock protects it
                        lease.ensureValid();
                        turns[lock] = before + 1;
                    }
                    return lock;
                }));
            }
            all(callers);
            recording.stop();
            assertThat(turns).containsOnly(callers() / LOCKS);
            if (Runtime.version().feature() >= 24) { // before, a monitor pinned, also one of a driver
                assertThat(pinned(recording)).isEmpty();
            }
        }
    }

    private List<String> pinned(Recording recording) throws IOException {
        Path file = directory.resolve("pinned.jfr");
        recording.dump(file);
        List<String> stacks = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            String told = event.toString();
            if (!told.contains("Waited for initialization of")) { // a class is loaded once
                stacks.add(told);
            }
        }
        return stacks;
    }

    @Test
    @DisplayName("virtual threads that wait for a lock leave the processors to others")
    void waiting() throws Exception {
        AtomicInteger done = new AtomicInteger();
        List<Future<?>> callers = new ArrayList<>();
        List<Lease> held = new ArrayList<>();
        for (int lock = 0; lock < LOCKS; lock++) {
            held.add(client.acquire("lock-" + lock));
        }
        for (int i = 0; i < callers() / 5; i++) {
            int lock = i % LOCKS;
            callers.add(virtual.submit(() -> {
                try (Lease lease = client.acquire("lock-" + lock, o -> o.waitUpTo(LONG))) {
                    lease.ensureValid();
                    return done.incrementAndGet();
                }
            }));
        }
        Await.until(
                "some wait for each lock",
                () -> held.stream()
                        .allMatch(lease ->
                                !client.inspect().get(lease.key()).waiters().isEmpty()));
        CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> "ran", virtual);
        assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
        assertThat(done).hasValue(0);
        held.forEach(Lease::release);
        all(callers);
        assertThat(done).hasValue(callers() / 5);
    }

    private static void all(List<Future<?>> callers) throws InterruptedException, ExecutionException {
        for (Future<?> caller : callers) {
            caller.get();
        }
    }
}
