package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.cli.Abandoned;
import dev.holdfast.cli.ForgetfulStore;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Looking at locks")
final class LookCommandsTest {
    private Shell shell;

    @BeforeEach
    void open(@TempDir Path directory) {
        shell = Shell.on(directory);
    }

    private Result take(String name, String... more) {
        String[] args = new String[more.length + 4];
        args[0] = "acquire";
        args[1] = name;
        args[2] = "--lease";
        args[3] = "1h";
        System.arraycopy(more, 0, args, 4, more.length);
        Result result = shell.run(args);
        assertThat(result.code()).as(result.toString()).isZero();
        return result;
    }

    @Test
    @DisplayName("ls lists what is held, in all namespaces or in one, under aligned titles")
    void lists() {
        take("invoice-run", "-N", "billing", "--owner", "worker-7", "--reason", "month end");
        take("a", "--owner", "worker-8");
        Result all = shell.run("ls");
        assertThat(all.code()).isZero();
        String[] lines = all.out().split("\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[0]).startsWith("KEY  ").doesNotContain("MODE", "TOKEN", "WAITING");
        assertThat(lines[1])
                .startsWith("billing:invoice-run ")
                .contains("worker-7")
                .contains("month end");
        assertThat(lines[0].indexOf("HOLDER")).isEqualTo(lines[1].indexOf("worker-7"));
        assertThat(lines[0].indexOf("HOLDER")).isEqualTo(lines[2].indexOf("worker-8"));
        assertThat(shell.run("ls", "-N", "billing").out())
                .contains("invoice-run")
                .doesNotContain("worker-8");
        assertThat(shell.run("ls", "-o", "name").out()).isEqualTo("billing:invoice-run\ndefault:a\n");
        assertThat(shell.run("ls", "-N", "billing", "-o", "name").out()).isEqualTo("billing:invoice-run\n");
    }

    @Test
    @DisplayName("a file that is not there has no locks, which is said, and is not made")
    void missingFile(@TempDir Path elsewhere) {
        Path file = elsewhere.resolve("typo.db");
        for (String command : List.of("ls", "cleanup", "history")) {
            Result result = new Shell("sqlite:" + file).run(command);
            assertThat(result.code()).as(command).isZero();
            assertThat(result.err()).contains("no file '" + file);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    @DisplayName("ls finds by prefix, owner and state, and free ones only when asked for all")
    void filters() {
        take("a-1", "--owner", "anna");
        take("a-2", "--owner", "bert");
        String lease = take("b-1").after("lease_id");
        shell.run("release", "b-1", "--lease-id", lease);
        Abandoned.fourHoursAgo(shell.store(), LockKey.of("default", "old"), "gone");
        assertThat(shell.run("ls", "a-", "-o", "name").out()).isEqualTo("default:a-1\ndefault:a-2\n");
        assertThat(shell.run("ls", "--owner", "bert", "-o", "name").out()).isEqualTo("default:a-2\n");
        assertThat(shell.run("ls", "--state", "stale", "-o", "name").out()).isEqualTo("default:old\n");
        assertThat(shell.run("ls", "--state", "waiting", "-o", "name").out()).isEmpty();
        assertThat(shell.run("ls", "-o", "name").out()).doesNotContain("b-1");
        assertThat(shell.run("ls", "--all").out()).containsPattern("b-1 +free");
    }

    @Test
    @DisplayName("ls says when there is nothing, and when there is more than it shows")
    void says() {
        Result none = shell.run("ls", "-N", "billing");
        assertThat(none.code()).isZero();
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("No lock").contains("billing").contains("--all");
        take("a");
        take("b");
        Result one = shell.run("ls", "--limit", "1", "-o", "name");
        assertThat(one.out()).isEqualTo("default:a\n");
        assertThat(one.err()).contains("There are more");
        assertThat(shell.run("ls", "--limit", "2").err()).isEmpty();
        assertThat(shell.run("ls", "--limit", "0").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("ls", "--state", "happy").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("json is one document with the fields of the REST calls, and never a lease id")
    void json() {
        String lease = take("a", "--owner", "anna", "--metadata", "run=7", "--path", "x/y")
                .after("lease_id");
        String json = shell.run("ls", "-o", "json").out();
        assertThat(json)
                .startsWith("{\"items\":[{\"namespace\":\"default\",\"name\":\"a\",\"held\":true,\"latest_token\":")
                .contains("\"holders\":[{\"owner\":\"anna\",\"path\":\"x/y\",\"mode\":\"exclusive\",\"fencing_token\":")
                .containsPattern("\"granted_at\":\"[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z\"")
                .contains(
                        "\"stale\":false,\"metadata\":{\"run\":\"7\"},\"reason\":\"\"}],\"waiters\":[],\"server_time\":")
                .doesNotContain(lease);
        assertThat(json.strip()).doesNotContain("\n");
        assertThat(shell.run("get", "a", "-o", "json").out()).startsWith("{\"namespace\":\"default\",\"name\":\"a\",");
        assertThat(shell.run("ls", "-N", "nowhere", "-o", "json").out()).isEqualTo("{\"items\":[]}\n");
    }

    @Test
    @DisplayName("get shows holders and waiters, and a free lock, too")
    void get() {
        Result free = shell.run("get", "never-used");
        assertThat(free.code()).isZero();
        assertThat(free.out()).contains("free");
        take("a", "-s", "--owner", "anna", "--metadata", "evil=x\u001b[2Jy");
        take("a", "-s", "--owner", "bert");
        assertThat(shell.run("get", "a").out())
                .contains("anna")
                .contains("bert")
                .contains("shared")
                .contains("in 59m")
                .contains("x?[2Jy")
                .doesNotContain("\u001b");
        assertThat(shell.run("get", "a", "-o", "name").out()).isEqualTo("default:a\n");
    }

    @Test
    @DisplayName("colours come only when asked for, since nobody looks at a file")
    void colours() {
        take("a");
        assertThat(shell.run("ls").out()).doesNotContain("\u001b");
        assertThat(shell.run("ls", "--color", "always").out()).contains("\u001b[32mheld\u001b[0m");
        assertThat(shell.run("ls", "--color", "sometimes").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("explain tells who, why, since when, how long it usually takes, who waits, and what to do")
    void explain() {
        assertThat(shell.run("explain", "a").out()).contains("is free").contains("holdfast exec --store");
        shell.run("release", "a", "--lease-id", take("a").after("lease_id"));
        shell.run("release", "a", "--lease-id", take("a", "--owner", "anna").after("lease_id"));
        assertThat(shell.run("explain", "a").out())
                .contains("'anna' had it last")
                .contains("gave it back")
                .contains("The last 2 holds took between")
                .doesNotContain("usually");
        for (int i = 0; i < 3; i++) {
            shell.run("release", "a", "--lease-id", take("a").after("lease_id"));
        }
        String last = take("a", "--owner", "bert", "--reason", "nightly run").after("lease_id");
        CompletableFuture<Result> waiting =
                CompletableFuture.supplyAsync(() -> shell.run("acquire", "a", "--owner", "carol", "--wait", "100s"));
        Await.until(
                "carol waits",
                () -> shell.run("ls", "--state", "waiting", "-o", "name").out().equals("default:a\n"));
        assertThat(shell.run("explain", "a").out())
                .contains("is held by 'bert', for \"nightly run\", since")
                .contains("Unless renewed it ends in 59m")
                .contains("It usually takes about", "the last 5 took")
                .contains("One caller is waiting: 'carol'")
                .contains("holdfast unlock --store")
                .contains("default:a --force --reason 'WHY'");
        assertThat(shell.run("explain", "a", "-o", "json").out())
                .contains("\"text\":\"Lock default:a")
                .contains("\"usual\":{\"holds\":5,\"median_ms\":");
        shell.run("release", "a", "--lease-id", last);
        assertThat(Await.get(waiting).code()).isZero();
    }

    @Test
    @DisplayName("explain says of a stale holder that it looks abandoned")
    void explainStale() {
        Abandoned.fourHoursAgo(shell.store(), LockKey.of("default", "it's old"), "gone");
        assertThat(shell.run("explain", "it's old").out())
                .contains("It looks abandoned: its last heartbeat was 3h45m ago")
                .contains("does not end by itself")
                .contains("if 'gone' is really gone")
                .contains("'default:it'\\''s old'")
                .doesNotContain("--force");
    }

    @Test
    @DisplayName("history shows what happened, newest first, and as much as asked for")
    void history() {
        shell.run("release", "a", "--lease-id", take("a", "--owner", "anna").after("lease_id"));
        take("b");
        assertThat(shell.run("history", "-o", "name").out()).isEqualTo("default:b\ndefault:a\ndefault:a\n");
        String table = shell.run("history", "a").out();
        assertThat(table.indexOf("lock.released")).isBetween(1, table.indexOf("lock.acquired"));
        assertThat(table).contains("held ");
        assertThat(shell.run("history", "a", "--event", "released", "-o", "json")
                        .out())
                .startsWith("{\"items\":[{\"timestamp\":\"")
                .contains("\"event\":\"lock.released\"")
                .contains("\"lock_key\":\"default:a\"")
                .doesNotContain("lock.acquired");
        Result one = shell.run("history", "--limit", "1", "-o", "name");
        assertThat(one.out()).isEqualTo("default:b\n");
        assertThat(one.err()).contains("older");
        assertThat(shell.run("history", "--from", "1h", "-o", "name").out().lines())
                .hasSize(3);
        assertThat(shell.run("history", "--to", "1h", "-o", "name").out()).isEmpty();
        assertThat(shell.run("history", "--from", "2020-01-31", "--to", "2020-02-01T00:00:00+01:00", "-o", "name")
                        .out())
                .isEmpty();
        assertThat(shell.run("history", "--from", "yesterday").err())
                .contains("--from")
                .contains("2h for");
        assertThat(shell.run("history", "--event", "eaten").err()).contains("lock.released");
    }

    @Test
    @DisplayName("history of a store that keeps none says so, not that nothing happened")
    void noHistory() {
        Shell forgetful = new Shell(ForgetfulStore.URL);
        for (String format : List.of("table", "name", "json")) {
            Result result = forgetful.run("history", "job", "-o", format);
            assertThat(result.code()).isZero();
            assertThat(result.err())
                    .contains("The store " + ForgetfulStore.URL + " keeps no history", "'job'", "holdfast ls")
                    .doesNotContain("Nothing is known");
        }
        assertThat(forgetful.run("history", "-o", "json").out()).startsWith("{\"items\":[]");
        take("other");
        assertThat(shell.run("history", "job").err())
                .contains("Nothing is known to have happened to 'job'")
                .doesNotContain("keeps no history");
    }

    @Test
    @DisplayName("ls and history read on beyond the largest page, each lock and event once")
    void pages() {
        int many = ScanRequest.MAX_LIMIT + 100;
        try (LockClient locks = LockClient.connect(shell.store())) {
            List<CompletableFuture<?>> taken = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                taken.add(locks.acquireAsync(LockKey.of("default", "many-" + i), o -> o.lease(Duration.ofHours(1)))
                        .toCompletableFuture());
            }
            Await.get(CompletableFuture.allOf(taken.toArray(CompletableFuture[]::new)));
        }
        for (String command : List.of("ls", "history")) {
            assertThat(shell.run(command, "--limit", "1000000", "-o", "name")
                            .out()
                            .lines())
                    .hasSize(many)
                    .doesNotHaveDuplicates();
            Result most = shell.run(command, "--limit", Integer.toString(many - 10), "-o", "name");
            assertThat(most.out().lines()).hasSize(many - 10);
            assertThat(most.err()).contains("There are");
            assertThat(shell.run(command, "--limit", Integer.toString(many)).err())
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("watch prints what happens, one JSON object a line, until it has seen as much as it should")
    void watch() {
        CompletableFuture<Result> watching =
                CompletableFuture.supplyAsync(() -> shell.run("watch", "--prefix", "w-", "--count", "2", "-o", "json"));
        int taken = 0;
        while (!watching.isDone() && taken < 2_000) { // it sees only what happens after it has begun
            take("other-" + taken);
            take("w-" + taken++);
        }
        Result seen = Await.get(watching);
        assertThat(seen.code()).isZero();
        assertThat(seen.err()).contains("Watching sqlite:");
        assertThat(seen.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("{\"timestamp\":\"")
                        .contains("\"event\":\"lock.acquired\"")
                        .contains("\"name\":\"w-")
                        .endsWith("}"));
    }

    @Test
    @DisplayName("cleanup says what it would clear, then clears it")
    void cleanup() {
        assertThat(shell.run("acquire", "short", "--lease", "100ms").code()).isZero();
        take("long");
        Await.until(
                "the short lease is over",
                () -> shell.run("get", "short", "-o", "json").out().contains("\"held\":false"));
        assertThat(shell.run("cleanup", "--dry-run").out())
                .contains("Would clear 1 lock")
                .contains("default:short");
        assertThat(shell.run("cleanup", "--dry-run", "-o", "json").out())
                .isEqualTo("{\"removed\":1,\"locks\":[\"default:short\"],\"dry_run\":true}\n");
        assertThat(shell.run("cleanup").out()).contains("Cleared 1 lock");
        assertThat(shell.run("cleanup").out()).contains("Nothing to clear");
        assertThat(shell.run("get", "long", "-o", "json").out()).contains("\"held\":true");
    }
}
