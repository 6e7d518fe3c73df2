package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Terraform.Ended;
import dev.holdfast.server.Terraform.Running;
import dev.holdfast.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** The real terraform against a real server. Skipped where there is no terraform. */
@DisplayName("terraform")
class TerraformTest {
    private static final Pattern ID = Pattern.compile("ID[:=] *([0-9a-f-]{36})");

    @TempDir
    static Path root;

    private static TestServer server;
    private static Terraform prepared;
    private static final AtomicInteger STACKS = new AtomicInteger();

    private StateClient stack;

    @BeforeAll
    static void start() {
        Terraform.assumePresent();
        server = TestServer.start(TestServer.on("sqlite:" + root.resolve("locks.db")));
        prepared = Terraform.initialised(root.resolve("prepared"), server.url() + "/state/prepared/prod");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void fresh() {
        stack = StateClient.of(server, "t" + STACKS.incrementAndGet());
    }

    private Terraform terraform(String who) {
        return at(who, server.url() + stack.path());
    }

    private Terraform at(String who, String address) {
        return prepared.copy(root.resolve(stack.path().substring(1)).resolve(who), address);
    }

    private static String id(Ended refused) {
        Matcher found = ID.matcher(refused.said());
        assertThat(found.find()).as(refused.said()).isTrue();
        return found.group(1);
    }

    private String holder() {
        return stack.look().get("holders").get(0).get("metadata").get("ID").text();
    }

    private boolean isHeld() {
        return stack.look().get("held").truth();
    }

    /** The value in a state. */
    private static String value(String state) {
        return Json.of(state)
                .get("resources")
                .get(0)
                .get("instances")
                .get(0)
                .get("attributes")
                .get("input")
                .get("value")
                .text();
    }

    private List<Long> serials() {
        return stack.history().stream().map(it -> it.get("serial").number()).toList();
    }

    @SideBySide
    @DisplayName("two applies at once: one works, the other hears who holds the lock")
    void twoAtOnce() {
        try (Running a = terraform("a").stopping("1")) {
            Ended b = terraform("b").apply("2").failed();
            assertThat(b.said()).contains("already locked").contains("ID=" + holder());
            a.open().end().ok();
        }
        assertThat(value(stack.load().body())).isEqualTo("1");
        assertThat(isHeld()).isFalse();
        Json version = stack.history().get(0);
        assertThat(version.get("operation").text()).isEqualTo("OperationTypeApply");
        assertThat(version.get("by").text()).contains("@");
    }

    @SideBySide
    @DisplayName("with -lock-timeout they wait, and get the lock in the order in which they came")
    void fairOrder() {
        try (Running a = terraform("a").stopping("1");
                Running b = terraform("b").applying("2", "-lock-timeout=250s")) {
            waiting(1, b);
            try (Running c = terraform("c").applying("3", "-lock-timeout=250s")) {
                waiting(2, c);
                a.open().end().ok();
                b.end().ok();
                c.end().ok();
            }
        }
        List<String> saved = new ArrayList<>();
        for (Json version : stack.history()) {
            saved.add(
                    0,
                    value(stack.send(
                                    "GET", "/versions/" + version.get("version").text(), "")
                            .body()));
        }
        assertThat(saved.stream().distinct()).containsExactly("1", "2", "3");
        assertThat(isHeld()).isFalse();
    }

    private void waiting(int callers, Running last) {
        Await.until(
                callers + " wait",
                () -> stack.look().get("waiters").list().size() == callers || !last.process.isAlive());
        assertThat(last.process.isAlive()).as(last.said()).isTrue();
    }

    @SideBySide
    @DisplayName("killed in the middle: the lock stays until force-unlock, which is audited")
    void killed() throws InterruptedException {
        terraform("a").stopping("1").kill();
        Terraform b = terraform("b");
        String id = id(b.apply("2").failed());
        b.run("force-unlock", "-force", id).ok();
        b.apply("2").ok();
        assertThat(value(stack.load().body())).isEqualTo("2");
        List<Json> forced = stack.events("lock.forced");
        assertThat(forced).hasSize(1);
        assertThat(forced.get(0).get("reason").text()).isEqualTo("terraform force-unlock");
        assertThat(forced.get(0).get("actor").text()).isEqualTo("anonymous");
    }

    @SideBySide
    @DisplayName("a zombie whose lock was ended by force cannot save after the next one has")
    void zombie() {
        Terraform a = terraform("a");
        try (Running zombie = a.stopping("1")) {
            Terraform b = terraform("b");
            b.run("force-unlock", "-force", holder()).ok();
            b.apply("2").ok();
            String saved = stack.load().body();
            Ended end = zombie.open().end().failed();
            assertThat(end.said()).contains("409");
            assertThat(a.directory.resolve("errored.tfstate")).exists();
            assertThat(stack.load().body()).isEqualTo(saved);
        }
        Await.until(
                "the refusal is recorded", () -> !stack.events("state.refused").isEmpty());
        assertThat(stack.events("state.refused")
                        .get(0)
                        .get("metadata")
                        .get("lost")
                        .text())
                .isEqualTo("forced");
    }

    @SideBySide
    @DisplayName("nor before, while the next one works; its late unlock leaves the next one's lock alone")
    void zombieBeforeTheNextHasSaved() {
        Terraform a = terraform("a");
        try (Running zombie = a.stopping("1")) {
            Terraform b = terraform("b");
            b.run("force-unlock", "-force", holder()).ok();
            try (Running next = b.stopping("2")) {
                String held = holder();
                Ended end = zombie.open().end().failed();
                assertThat(end.said()).contains("409");
                assertThat(a.directory.resolve("errored.tfstate")).exists();
                assertThat(stack.load().status()).isEqualTo(404);
                assertThat(holder()).isEqualTo(held);
                next.open().end().ok();
            }
        }
        assertThat(value(stack.load().body())).isEqualTo("2");
        assertThat(isHeld()).isFalse();
    }

    @SideBySide
    @DisplayName("-lock=false cannot overwrite a locked state")
    void withoutLock() {
        try (Running a = terraform("a").stopping("1")) {
            Ended b = terraform("b").apply("2", "-lock=false").failed();
            assertThat(b.said()).contains("409");
            assertThat(stack.load().status()).isEqualTo(404);
            a.open().end().ok();
        }
        terraform("c").apply("3", "-lock=false").ok();
        assertThat(value(stack.load().body())).isEqualTo("3");
    }

    @SideBySide
    @DisplayName("lost answers of LOCK, POST and UNLOCK change nothing: it ends well, with one version and no lock")
    void lostAnswers() throws Exception {
        try (LossyProxy proxy = LossyProxy.before(server.url(), "LOCK", "POST", "UNLOCK")) {
            at("a", proxy.url() + stack.path()).apply("1").ok();
            assertThat(proxy.lost()).containsExactly("LOCK", "POST", "UNLOCK");
        }
        assertThat(stack.history()).hasSize(1);
        assertThat(isHeld()).isFalse();
    }

    @SideBySide
    @DisplayName("state push is recorded, also with -force")
    void push() {
        Terraform a = terraform("a");
        a.apply("1").ok();
        String saved = stack.load().body();
        a.write("higher.tfstate", saved.replaceFirst("\"serial\": *\\d+", "\"serial\": 7"));
        a.run("state", "push", "higher.tfstate").ok();
        a.write("lower.tfstate", saved.replaceFirst("\"serial\": *\\d+", "\"serial\": 3"));
        a.run("state", "push", "lower.tfstate").failed();
        a.run("state", "push", "-force", "lower.tfstate").ok();
        List<Long> serials = serials(); // terraform counts on from what it is given
        assertThat(serials.get(1)).isGreaterThanOrEqualTo(7);
        assertThat(serials.get(0)).isBetween(3L, 6L);
        assertThat(stack.history().get(0).get("operation").text()).isNotEmpty();
        Await.until(
                "all are recorded",
                () -> stack.events("state.saved").size() == stack.history().size());
        assertThat(isHeld()).isFalse();
    }

    @SideBySide
    @DisplayName("init -migrate-state moves a local state here")
    void migrate() {
        Terraform a = local();
        a.run("init", "-input=false", "-migrate-state", "-force-copy").ok();
        assertThat(serials()).hasSize(1);
        assertThat(value(stack.load().body())).isEqualTo("1");
        assertThat(isHeld()).isFalse();
        assertThat(a.run("plan", "-input=false", "-var", "v=1").ok().said()).contains("No changes");
    }

    @SideBySide
    @DisplayName("init -migrate-state keeps lineage and serial of a state that was copied here first")
    void migrateCopied() throws Exception {
        // To an empty place terraform gives a lineage of its own making, whatever the backend.
        Terraform a = local();
        String local = Files.readString(a.directory.resolve("terraform.tfstate"));
        assertThat(stack.send("POST", "", local).status()).isEqualTo(200);
        a.run("init", "-input=false", "-migrate-state", "-force-copy").ok();
        assertThat(stack.load().json().get("lineage").text())
                .isEqualTo(Json.of(local).get("lineage").text());
        assertThat(serials()).containsOnly(Json.of(local).get("serial").number());
        assertThat(a.run("plan", "-input=false", "-var", "v=1").ok().said()).contains("No changes");
    }

    /** A directory whose state is a file in it, and whose configuration says that it shall be at the server. */
    private Terraform local() {
        Terraform a = terraform("local");
        a.with("TF_DATA_DIR", a.directory.resolve("fresh").toString());
        a.write("main.tf", Terraform.CONFIGURATION.replace("backend \"http\" {}", ""));
        a.run("init", "-input=false").ok();
        a.apply("1").ok();
        a.write("main.tf", Terraform.CONFIGURATION);
        return a;
    }

    @SideBySide
    @DisplayName("a server killed in the middle of an apply, and started again, has lost nothing")
    void restart() throws Exception {
        String store = "sqlite:" + root.resolve("killed.db");
        ReplicaProcess first = ReplicaProcess.start(store);
        String url = first.client().url();
        StateClient there = new StateClient(first.client(), stack.path());
        try (Running a = at("a", url + stack.path()).stopping("1")) {
            String held = there.look().get("holders").get(0).get("metadata").toString();
            first.kill();
            try (ReplicaProcess second =
                    ReplicaProcess.start(store, Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)))) {
                assertThat(there.look().get("holders").get(0).get("metadata").toString())
                        .isEqualTo(held);
                assertThat(there.lock("other-lock-id").status()).isEqualTo(423);
                a.open().end().ok();
                assertThat(there.history()).hasSize(1);
                assertThat(value(there.load().body())).isEqualTo("1");
                assertThat(there.look().get("held").truth()).isFalse();
            }
        }
    }

    @SideBySide
    @DisplayName("a state of 20 MB goes there and back")
    void large() throws Exception {
        Terraform a = terraform("a");
        String outputs =
                "\"outputs\":{\"big\":{\"value\":\"" + "0123456789".repeat(2_000_000) + "\",\"type\":\"string\"}}";
        a.write("big.tfstate", StateClient.state(5).replace("\"outputs\":{}", outputs));
        a.run("state", "push", "big.tfstate").ok();
        Json version = stack.history().get(0);
        assertThat(version.get("size").number()).isGreaterThan(20_000_000L);
        Ended pulled = a.run("state", "pull").ok();
        assertThat(pulled.said()).hasSizeGreaterThan(20_000_000);
        assertThat(isHeld()).isFalse();
    }

    @SideBySide
    @DisplayName("ten applies at once get serials one after the other")
    void ten() {
        terraform("first").apply("0").ok();
        long before = serials().get(0);
        List<Running> all = new ArrayList<>();
        try {
            for (int i = 1; i <= 10; i++) {
                all.add(terraform("w" + i).applying(Integer.toString(i), "-lock-timeout=280s"));
            }
            all.forEach(one -> one.end().ok());
        } finally {
            all.forEach(Running::close);
        }
        List<Long> serials = serials();
        for (int i = 1; i < serials.size(); i++) {
            assertThat(serials.get(i - 1)).isEqualTo(serials.get(i) + 1);
        }
        assertThat(serials.get(0)).isGreaterThanOrEqualTo(before + 10);
        assertThat(isHeld()).isFalse();
    }

    @SideBySide
    @DisplayName("the settings people use with GitLab work")
    void gitlab() {
        Terraform a = terraform("a")
                .with("TF_HTTP_LOCK_ADDRESS", server.url() + stack.path() + "/lock")
                .with("TF_HTTP_UNLOCK_ADDRESS", server.url() + stack.path() + "/lock")
                .with("TF_HTTP_LOCK_METHOD", "POST")
                .with("TF_HTTP_UNLOCK_METHOD", "DELETE")
                .with("TF_HTTP_UPDATE_METHOD", "PUT");
        a.apply("1").ok();
        assertThat(value(stack.load().body())).isEqualTo("1");
        assertThat(stack.events("lock.released")).hasSize(1);
    }
}
