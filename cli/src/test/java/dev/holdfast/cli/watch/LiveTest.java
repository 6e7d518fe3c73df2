package dev.holdfast.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.LockClient;
import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Looking at what goes on, live")
class LiveTest {
    @TempDir
    private Path directory;

    private Shell shell;

    @BeforeEach
    void open() {
        shell = Shell.on(directory);
        shell.run("acquire", "billing:x", "--lease", "1h", "--owner", "anna", "--lease-id", "the-lease-of-anna");
    }

    @Test
    @DisplayName("ls --watch in a file: a picture for each change, and none while nothing changes")
    void pictures() {
        CompletableFuture<Result> watching = CompletableFuture.supplyAsync(
                () -> shell.run("ls", "--watch", "--times", "absolute", "--count", "8", "--every", "300ms"));
        Result seen = Await.get(watching);
        assertThat(seen.code()).isZero();
        assertThat(seen.out().split("anna", -1)).hasSize(2);
        assertThat(seen.out()).contains(shell.store()).doesNotContain("\u001b");
        assertThat(shell.run("ls", "--watch", "-o", "json").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("ls", "--watch", "--every", "1ms").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("ls", "--watch", "--count", "0").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("ls --watch on a terminal: drawn over itself on a screen of its own, and the last picture stays")
    void overItself() {
        assumeTrue(Shell.hasTerminals(), "there is no 'script' here to make a terminal with");
        Result seen = shell.terminal("", "ls", "--watch", "--count", "2", "--every", "300ms");
        assertThat(seen.code()).as(seen.toString()).isZero();
        assertThat(seen.out()).contains("\u001b[?1049h", "\u001b[H", "anna");
        String after = seen.out().substring(seen.out().indexOf("\u001b[?1049l"));
        assertThat(after).contains("billing:x", "anna");
    }

    @Test
    @DisplayName("top counts what happened lately, and shows who waits now")
    void top() {
        for (int i = 0; i < 3; i++) {
            String id = shell.run("acquire", "hot:job", "-o", "name").out().strip();
            shell.run("release", "hot:job", "--lease-id", id);
        }
        assertThat(shell.run("top", "-o", "json").out())
                .contains("\"namespace\":\"hot\",\"name\":\"job\",\"waiting\":0,\"acquired\":3,")
                .contains("\"name\":\"x\",\"waiting\":0,\"acquired\":1,")
                .contains("\"owners\":[\"anna\"]");
        assertThat(shell.run("top", "hot:", "--sort", "rate", "-o", "name").out())
                .isEqualTo("hot:job\n");
        Result table = shell.run("top", "--count", "1", "--sort", "rate", "--limit", "1");
        assertThat(table.code()).isZero();
        assertThat(table.out()).contains("held 1 ", "hot:job").doesNotContain("billing:x");
        assertThat(shell.run("top", "hot:", "--count", "1").out()).contains("held 0 ");
        assertThat(shell.run("top", "--window", "2h").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("wait ends when the lock is free, or held, or the time is up, which is 75")
    void waits() {
        assertThat(shell.run("wait", "billing:y").code()).isZero();
        assertThat(shell.run("wait", "billing:x", "--for", "held").code()).isZero();
        Result late = shell.run("wait", "billing:x", "--timeout", "50ms");
        assertThat(late.code()).isEqualTo(ExitCodes.BUSY);
        assertThat(late.err()).contains("billing:x").contains("'anna' still holds it");
        assertThat(shell.run("wait", "billing:y", "--for", "held", "-w", "50ms").err())
                .contains("nobody holds it");
        CompletableFuture<Result> waiting =
                CompletableFuture.supplyAsync(() -> shell.run("wait", "billing:x", "--timeout", "100s"));
        shell.run("release", "billing:x", "--lease-id", "the-lease-of-anna");
        assertThat(Await.get(waiting).code()).isZero();
        shell.run("acquire", "billing:tree/web", "--lease", "1h");
        assertThat(shell.run("wait", "billing:tree/mail", "-w", "0").code()).isZero();
        assertThat(shell.run("wait", "billing:tree/web/api", "-w", "0").code()).isEqualTo(ExitCodes.BUSY);
    }

    @Test
    @DisplayName("wait ends when a lease runs out, of which nobody tells")
    void waitsForTheEnd() {
        shell.run("acquire", "short", "--lease", "700ms");
        assertThat(shell.run("wait", "short", "--timeout", "60s").code()).isZero();
    }

    @Test
    @DisplayName("what is told when events stop and come again")
    void connection() {
        AtomicBoolean listening = new AtomicBoolean(true);
        AtomicBoolean over = new AtomicBoolean();
        List<String> said = new ArrayList<>();
        ConnectionNews connection = new ConnectionNews(
                new LockClient.Subscription() {
                    @Override
                    public boolean isListening() {
                        return listening.get();
                    }

                    @Override
                    public boolean isOver() {
                        return over.get();
                    }

                    @Override
                    public void close() {}
                },
                "http://there",
                said::add);
        connection.look();
        assertThat(said).isEmpty();
        listening.set(false);
        connection.look();
        connection.look();
        assertThat(said).hasSize(1).first().asString().contains("http://there is lost");
        listening.set(true);
        connection.look();
        connection.look();
        assertThat(said).hasSize(2).last().asString().contains("Connected again after");
        over.set(true);
        assertThatThrownBy(connection::look).isInstanceOf(AccessRefusedException.class);
    }

    @Test
    @DisplayName("watch says that the server is gone and when it is back, and misses nothing")
    void serverGone() throws Exception {
        int port = Ports.free();
        String url = "http://127.0.0.1:" + port;
        ServerProcess first = CliServer.start(port, directory, Map.of()).ready();
        List<String> words = ExecProcess.command();
        words.set(words.size() - 1, "watch");
        try (ExecProcess watch = ExecProcess.run(url, directory, words)) {
            watch.until("it watches", () -> watch.err().contains("Watching"));
            first.signal("KILL");
            watch.until("it says so", () -> watch.err().contains("is lost; trying again"));
            first.close();
            try (ServerProcess second =
                    CliServer.start(port, directory, Map.of()).ready()) {
                assertThat(new Shell(url).run("acquire", "billing:after").code())
                        .isZero();
                watch.until("it is back", () -> watch.err().contains("Connected again after"));
                watch.until("it tells", () -> watch.out().contains("billing:after"));
                assertThat(second.toString()).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("watch goes on with a server whose history begins anew")
    void anotherHistory() throws Exception {
        int port = Ports.free();
        String url = "http://127.0.0.1:" + port;
        Shell remote = new Shell(url);
        ServerProcess first =
                CliServer.start(port, directory, Map.of(), "--store=memory:").ready();
        for (int i = 0; i < 5; i++) {
            assertThat(remote.run("acquire", "billing:before-" + i).code()).isZero();
        }
        List<String> words = ExecProcess.command();
        words.set(words.size() - 1, "watch");
        try (ExecProcess watch = ExecProcess.run(url, directory, words)) {
            watch.until("it watches", () -> watch.err().contains("Watching"));
            first.signal("KILL");
            watch.until("it says so", () -> watch.err().contains("is lost; trying again"));
            first.close();
            try (ServerProcess second = CliServer.start(port, directory, Map.of(), "--store=memory:")
                    .ready()) {
                assertThat(remote.run("acquire", "billing:after").code()).isZero();
                watch.until("it tells", () -> watch.out().contains("billing:after"));
                assertThat(watch.out()).doesNotContain("before");
                assertThat(second.toString()).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("the tally forgets what is older than its window, and counts nothing twice")
    void tally() {
        Instant start = Instant.parse("2026-11-17T10:00:00Z");
        Tally tally = new Tally(Duration.ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            StoredEvent event = new StoredEvent(i, acquired(start.plusSeconds(i), Duration.ofMillis(i)));
            tally.add(event);
            tally.add(event);
        }
        Tally.Count all = Tally.Count.of(List.copyOf(tally.byLock().values()));
        assertThat(all.acquired()).isEqualTo(61);
        assertThat(all.wait(0.5)).isEqualTo(Duration.ofMillis(69));
        assertThat(all.wait(0.99)).isEqualTo(Duration.ofMillis(99));
        tally.at(start.plusSeconds(300));
        assertThat(tally.byLock()).isEmpty();
        assertThat(Tally.Count.NONE.wait(0.99)).isEqualTo(Duration.ZERO);
        tally.add(new StoredEvent(1, acquired(start.plusSeconds(301), Duration.ZERO)));
        assertThat(tally.byLock()).as("a history that begins anew").hasSize(1);
    }

    private static LockEvent acquired(Instant at, Duration waited) {
        return new LockEvent(
                EventType.ACQUIRED,
                new RecordKey("n", "x"),
                new Scope(List.of(LockPath.WHOLE), Mode.EXCLUSIVE),
                1,
                "anna",
                new Token(1),
                at,
                waited,
                "anna",
                "",
                Map.of(),
                "");
    }
}
