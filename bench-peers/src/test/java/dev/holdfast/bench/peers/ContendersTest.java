package dev.holdfast.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.contender.Contender;
import dev.holdfast.bench.peers.contender.Contender.Held;
import dev.holdfast.bench.peers.contender.Contender.Renewable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("each contender")
class ContendersTest {
    private static final Duration NOT_AT_ALL = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static Servers servers;

    @BeforeAll
    static void start() {
        servers = new Servers(directory);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("takes a lock, keeps others out until it is released, and then lets the next in")
    void excludes(ComparedLibrary who) throws Exception {
        try (Contender one = connect(who);
                Contender other = who.server() == Server.FILE ? one : connect(who)) {
            Held held = one.take("wanted", LONG).orElseThrow();
            assertThat(elsewhere(() -> other.take("wanted", NOT_AT_ALL))).isEmpty();
            assertThat(elsewhere(() -> takeAndRelease(other, "another"))).isTrue();
            if (held instanceof Renewable lease) {
                lease.renew();
                assertThat(elsewhere(() -> other.take("wanted", NOT_AT_ALL))).isEmpty();
            }
            held.release();
            assertThat(elsewhere(() -> takeAndRelease(other, "wanted"))).isTrue();
        }
    }

    private static boolean takeAndRelease(Contender contender, String name) throws Exception {
        Optional<Held> held = contender.take(name, LONG);
        if (held.isPresent()) {
            held.get().release();
        }
        return held.isPresent();
    }

    /** In another thread: some locks know the thread that holds them. */
    private static <T> T elsewhere(Callable<T> work) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<T> done = thread.submit(work);
            return done.get();
        } finally {
            thread.shutdown();
        }
    }

    private static Contender connect(ComparedLibrary who) throws Exception {
        if (who.server() == Server.FILE) {
            return who.connect(servers.place("file").resolve("locks.db").toString(), 1);
        }
        try {
            return who.connect(servers.get(who.server()).address(), 6);
        } catch (MissingPartException e) {
            return abort(who.label() + " is left out: " + e.getMessage());
        }
    }
}
