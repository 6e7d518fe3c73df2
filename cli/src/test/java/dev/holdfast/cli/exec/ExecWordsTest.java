package dev.holdfast.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecWordsTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("times are said in their two largest parts")
    void spoken() {
        assertThat(Stream.of(-5, 0, 59, 60, 61, 3_599, 3_600, 3_660, 90_000, 172_800)
                        .map(seconds -> Ages.of(Duration.ofSeconds(seconds))))
                .containsExactly("0s", "0s", "59s", "1m", "1m1s", "59m59s", "1h", "1h1m", "1d1h", "2d");
    }

    @Test
    @DisplayName("a name that the locale cannot read is refused: it would be one lock with all others of that length")
    void unreadable() throws Exception {
        List<String> command = ExecProcess.command();
        command.addAll(
                0, List.of("env", "LC_ALL=C", "sh", "-c", "exec \"$@\" \"$(printf '\\303\\274')\" -- true", "sh"));
        try (ExecProcess exec = ExecProcess.run(ExecProcess.store(directory), directory, command)) {
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.USAGE);
            assertThat(exec.err()).contains("Word 2", "LC_ALL=C.UTF-8");
        }
    }

    @Test
    @DisplayName("exit codes are read as shells read them")
    void signals() {
        assertThat(List.of(Signals.named(0), Signals.named(128), Signals.named(137), Signals.named(143)))
                .containsExactly("", "", "KILL", "TERM");
        assertThat(Signals.named(255)).isEmpty();
        assertThat(Signals.named(162)).isEqualTo("34");
    }

    @Test
    @DisplayName("the line names the holder in our way, not one of another part")
    void partInTheWay() throws Exception {
        LockKey stack = LockKey.of("default", "stack");
        try (LockClient client = LockClient.connect("memory:");
                Lease jobs = client.acquire(stack.at("jobs"), o -> o.owner("a"));
                Lease web = client.acquire(stack.at("web"), o -> o.owner("b"))) {
            assertThat(WaitingLine.words(client.inspect().get(stack), stack.at("web/api"), "me", Duration.ZERO)
                            .all())
                    .startsWith("waiting for default:stack/web/api, 0 waiting: held by b");
            assertThat(WaitingLine.words(client.inspect().get(stack), stack.at("mail"), "me", Duration.ZERO)
                            .all())
                    .contains("free, others are first");
        }
    }

    @Test
    @DisplayName("of several waiters of one name, ours is the one that has waited as long as we have")
    void ownPlace() {
        LockKey job = LockKey.of("default", "job");
        Instant now = Instant.parse("2026-11-17T10:00:00Z");
        LockView view = new LockView(
                job.record(),
                List.of(),
                List.of(waiting(1, now.minusSeconds(360)), waiting(2, now.minusSeconds(60))),
                new Token(1),
                Optional.empty(),
                now);
        assertThat(WaitingLine.words(view, job, "me", Duration.ofSeconds(359)).all())
                .contains("place 1 of 2");
        assertThat(WaitingLine.words(view, job, "me", Duration.ofSeconds(61)).all())
                .contains("place 2 of 2");
    }

    @Test
    @DisplayName("on a narrow screen the reason goes first, then words, and only then something is cut")
    void narrow() {
        WaitingLine.Words words = new WaitingLine.Words(
                "catalog:schema-migration",
                "place 1 of 2",
                "held by alice@laptop-7",
                ", STALE for 43m8s, ends in 23h16m",
                " (adding an index by hand)");
        assertThat(words.within(200)).isEqualTo(words.all()).endsWith("(adding an index by hand)");
        assertThat(words.within(110)).startsWith("waiting for catalog").endsWith("ends in 23h16m");
        assertThat(words.within(90))
                .isEqualTo("catalog:schema-migration, place 1 of 2: alice@laptop-7, STALE for 43m8s, ends in 23h16m");
        assertThat(words.within(79)).contains("alice@laptop-7, STALE for 43m8s").hasSizeLessThanOrEqualTo(79);
    }

    private static LockView.Waiting waiting(int position, Instant since) {
        return new LockView.Waiting(position, "me", since, Mode.EXCLUSIVE, List.of(LockPath.WHOLE));
    }

    @Test
    @DisplayName("a report takes the place of an old one, also behind a link")
    void reportReplaced() throws Exception {
        Path file = Files.writeString(directory.resolve("report.json"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link.json"), file);
        new ExecReport(LockKey.of("default", "job"), "me").write(link, 69);
        assertThat(file).content().startsWith("{").contains("\"exit_code\" : 69", "\"waited_ms\" : null");
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    @DisplayName("on a terminal the waiting is one line, rewritten in place and gone at the end")
    void terminal() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script is not installed");
        String store = ExecProcess.store(directory);
        String words = String.join(" ", ExecProcess.command()) + " --owner me job -- echo ran";
        try (LockClient client = LockClient.connect(store, ClientConfig.DEFAULT.withOwner("other"));
                Lease held = client.acquire(LockKey.of("default", "job"), o -> {});
                ExecProcess exec = ExecProcess.run(
                        store, directory, List.of("script", "-q", "-e", "-f", "-c", words, "typescript"))) {
            Path typed = directory.resolve("typescript");
            exec.until(
                    "it was rewritten",
                    () -> Files.exists(typed) && ExecProcess.content(typed).split("\r", -1).length > 3);
            held.close();
            assertThat(exec.exit()).isZero();
            List<String> rewritten = List.of(ExecProcess.content(typed).split("\r", -1));
            assertThat(rewritten).anyMatch(line -> line.contains("held by other") && line.endsWith("\u001b[K"));
            assertThat(rewritten).anyMatch(line -> line.startsWith("\u001b[Kran"));
        }
    }
}
