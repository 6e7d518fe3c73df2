package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("state behind a server")
final class ServerStatesAnswersTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final LeaseId LEASE = LeaseId.ofBits(1, 2);
    private static final Provenance ANNA = Provenance.of("anna", "deploy");

    private HttpServer server;
    private StateManager states;
    private String state = "{}";
    private String history = "{\"items\": []}";
    private boolean hidden; // the history

    /** What is answered first, before the usual. */
    private final Queue<ScriptedAnswer> first = new ConcurrentLinkedQueue<>();

    private final AtomicInteger changes = new AtomicInteger();

    private record ScriptedAnswer(int status, String type, String body) {
        ScriptedAnswer(int status, String body) {
            this(status, "application/json", body);
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", this::answer);
        server.start();
        states = ServerStates.connect(
                ServerConfig.of("http://127.0.0.1:" + server.getAddress().getPort()), ClientConfig.DEFAULT);
    }

    @AfterEach
    void stop() {
        states.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        boolean changing = Set.of("POST", "DELETE").contains(exchange.getRequestMethod());
        changes.addAndGet(changing ? 1 : 0);
        ScriptedAnswer scripted = first.poll();
        if (scripted != null) {
            byte[] body = scripted.body().getBytes(StandardCharsets.UTF_8);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.getResponseHeaders().add("Content-Type", scripted.type());
            if (!scripted.type().contains("json")) {
                exchange.getResponseHeaders().add("ETag", "\"page\""); // as pages have, too
            }
            exchange.sendResponseHeaders(scripted.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
            return;
        }
        exchange.getResponseHeaders().add("ETag", "\"unversioned\"");
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(200, -1);
        } else {
            boolean past = exchange.getRequestURI().getPath().endsWith("/history");
            if (past) {
                exchange.getResponseHeaders().remove("ETag");
            }
            boolean saved = exchange.getRequestMethod().equals("POST");
            if (past && hidden) {
                exchange.sendResponseHeaders(403, -1);
                exchange.close();
                return;
            }
            byte[] body = (saved ? "{\"version\": \"v1\", \"serial\": 5}" : past ? history : state)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private StateVersion saved() {
        byte[] bytes = "{\"serial\": 5, \"lineage\": \"a\"}".getBytes(StandardCharsets.UTF_8);
        return ((SaveOutcome.Saved) states.saveOver(SHOP, LEASE, Optional.empty(), bytes, ANNA)).version();
    }

    @Test
    @DisplayName("a save names its own version, also if another saved before it could look")
    void ownVersion() {
        history = "{\"items\": [{\"version\": \"v2\", \"serial\": 6, \"by\": \"bob\"},"
                + " {\"version\": \"v1\", \"serial\": 5, \"by\": \"ci\"}]}";
        assertThat(saved().version()).isEqualTo("v1");
        assertThat(saved().by()).isEqualTo("ci");
    }

    @Test
    @DisplayName("a save names its own version, also if it is in the history no more")
    void ownVersionGone() {
        history = "{\"items\": [{\"version\": \"v9\", \"serial\": 9, \"by\": \"bob\"}]}";
        assertThat(saved().version()).isEqualTo("v1");
        assertThat(saved().serial()).isEqualTo(5);
        assertThat(saved().lineage()).contains("a");
        assertThat(saved().by()).isEqualTo("anna");
    }

    @Test
    @DisplayName(
            "of an older server, which names only the version, a save or restore is told as done also where its history is refused")
    void doneWithoutHistory() {
        hidden = true;
        assertThat(saved().version()).isEqualTo("v1");
        assertThat(saved().serial()).isEqualTo(5);
        RestoreOutcome.Restored restored = (RestoreOutcome.Restored) states.restore(SHOP, "v0", ANNA);
        assertThat(restored.version().version()).isEqualTo("v1");
        assertThat(restored.from().version()).isEqualTo("v0");
    }

    @Test
    @DisplayName("what a server answers that is no answer is not taken for an empty one")
    void unexpected() {
        String odd = "{\"code\": \"odd\", \"detail\": \"something odd\"}";
        List<Supplier<Object>> questions = List.of(
                () -> states.load(SHOP),
                () -> states.version(SHOP, "v1"),
                () -> states.history(SHOP, 10),
                () -> states.diff(SHOP, "v1", "v2"),
                () -> states.verify(SHOP),
                () -> states.list(10, Optional.empty()),
                () -> states.backup(SHOP));
        for (int i = 0; i < questions.size(); i++) {
            Supplier<Object> question = questions.get(i);
            first.add(new ScriptedAnswer(409, odd));
            assertThatThrownBy(question::get)
                    .as("question " + i)
                    .isInstanceOf(StoreUnusableException.class)
                    .hasMessageContaining("something odd");
        }
        first.add(new ScriptedAnswer(404, odd));
        assertThatThrownBy(() -> states.history(SHOP, 10)).isInstanceOf(StoreUnusableException.class);
        first.add(new ScriptedAnswer(400, "{\"code\": \"invalid-request\", \"detail\": \"no such part\"}"));
        assertThatThrownBy(() -> states.claim(SHOP, LEASE, new Token(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such part");
        first.add(new ScriptedAnswer(409, "{\"code\": \"too-many-stacks\", \"detail\": \"There are 5\"}"));
        assertThatThrownBy(() -> states.save(SHOP, LEASE, new byte[] {'{', '}'}, ANNA))
                .as("which is not about the lease")
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("There are 5");
    }

    @Test
    @DisplayName("the page of a proxy is neither state nor none, and leaves open whether a change was made")
    void loginPage() {
        ScriptedAnswer page = new ScriptedAnswer(200, "text/html", "<html>Log in first</html>");
        Map<String, Supplier<Object>> looks = Map.of(
                "load", () -> states.load(SHOP),
                "version", () -> states.version(SHOP, "v1"),
                "current", () -> states.current(SHOP),
                "history", () -> states.history(SHOP, 10),
                "diff", () -> states.diff(SHOP, "v1", "v2"),
                "verify", () -> states.verify(SHOP),
                "list", () -> states.list(10, Optional.empty()),
                "backup", () -> states.backup(SHOP),
                "claim", () -> states.claim(SHOP, LEASE, new Token(7)),
                "delete", () -> states.delete(SHOP, LEASE, ANNA)); // which looks first
        byte[] document = {'{', '}'};
        Map<String, Supplier<Object>> once = Map.of(
                "save", () -> states.save(SHOP, LEASE, document, ANNA),
                "saveUnlocked", () -> states.saveUnlocked(SHOP, document, ANNA),
                "restore", () -> states.restore(SHOP, "v1", ANNA),
                "delete", () -> states.delete(SHOP, ANNA));
        looks.forEach((name, look) -> {
            first.add(page);
            assertThatThrownBy(look::get).as(name).isInstanceOf(StoreUnusableException.class);
            first.clear();
        });
        once.forEach((name, change) -> {
            first.add(page);
            assertThatThrownBy(change::get).as(name).isInstanceOf(OutcomeUnknownException.class);
            first.clear();
        });
    }

    @Test
    @DisplayName("a claim for a lease that ended is told as such, and not as fenced")
    void claimTooLate() {
        first.add(new ScriptedAnswer(
                409, "{\"code\": \"lease-lost\", \"reason\": \"expired\", \"detail\": \"it has ended\"}"));
        assertThat(states.claim(SHOP, LEASE, new Token(7)))
                .isEqualTo(new StateRefusal(
                        StateRefusal.Reason.NOT_HELD, "it has ended", Optional.of(LostReason.EXPIRED), List.of()));
    }

    @Test
    @DisplayName("a kind of change that only a newer server knows is told with what to do about it")
    void newerKind() {
        first.add(new ScriptedAnswer(
                200,
                "{\"changes\": [{\"address\": \"x\", \"kind\": \"moved\", \"attributes\": [],"
                        + " \"complete\": true}], \"complete\": true}"));
        assertThatThrownBy(() -> states.diff(SHOP, "v1", "v2"))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContainingAll("moved", "upgrade");
    }

    @Test
    @DisplayName("a document that others put there has the serial and lineage that are in it")
    void unrecorded() {
        state = "{\"serial\": 7, \"lineage\": \"old\"}";
        StateVersion current = states.current(SHOP).orElseThrow();
        assertThat(current.serial()).isEqualTo(7);
        assertThat(current.lineage()).contains("old");
        assertThat(current.version()).isEqualTo("unversioned");
        state = "no JSON";
        assertThat(states.current(SHOP).orElseThrow().lineage()).isEmpty();
    }

    @Test
    @DisplayName("a listing asks who holds its stacks once, however many are locked")
    void listedOnce() {
        String item = "{\"stack\": \"%s\", \"environment\": \"production\", \"locked\": %s}";
        first.add(new ScriptedAnswer(
                200,
                "{\"items\": [" + item.formatted("shop", true) + "," + item.formatted("shop-web", true) + ","
                        + item.formatted("blog", false) + "," + item.formatted("shop-old", true) + "]}"));
        String lock = "{\"namespace\": \"deploy\", \"name\": \"stack:%s:env:production\", \"latest_token\": 7,"
                + " \"server_time\": \"2026-11-17T08:00:00Z\", \"holders\": [{\"owner\": \"%s\", \"paths\": [\"\"],"
                + " \"mode\": \"exclusive\", \"fencing_token\": 7, \"granted_at\": \"2026-11-17T08:00:00Z\","
                + " \"renewed_at\": \"2026-11-17T08:00:00Z\"}]}";
        first.add(new ScriptedAnswer(
                200,
                "{\"items\": [" + lock.formatted("shop", "anna") + "," + lock.formatted("shop-web", "bob") + "]}"));
        // A third request would be answered with an empty object, which is no lock.
        assertThat(states.list(10, Optional.empty()).stacks())
                .extracting(it -> it.stack().name()
                        + it.holders().stream().map(Holder::owner).toList())
                .containsExactly("shop[anna]", "shop-web[bob]", "blog[]", "shop-old[]");
        assertThat(first).isEmpty();
    }

    @Test
    @DisplayName(
            "what is saved or deleted without a lease is sent once: a repetition could undo what another did meanwhile")
    void sentOnce() {
        first.add(new ScriptedAnswer(502, "{}"));
        assertThatThrownBy(() -> states.saveUnlocked(SHOP, new byte[] {'{', '}'}, ANNA))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(changes).hasValue(1);
        first.add(new ScriptedAnswer(502, "{}"));
        assertThatThrownBy(() -> states.delete(SHOP, ANNA)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(changes).hasValue(2);
    }

    @Test
    @DisplayName("a repetition that is refused tells nothing of the save whose answer was lost")
    void refusedRepetition() {
        String refused = "{\"code\": \"state-refused\", \"reason\": \"not_held\", \"detail\": \"gone\"}";
        first.add(new ScriptedAnswer(502, "{}"));
        first.add(new ScriptedAnswer(409, refused));
        assertThatThrownBy(() -> states.save(SHOP, LEASE, new byte[] {'{', '}'}, ANNA))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("gone");
        first.add(new ScriptedAnswer(409, refused));
        assertThat(states.save(SHOP, LEASE, new byte[] {'{', '}'}, ANNA))
                .as("without doubt")
                .isInstanceOf(StateRefusal.class);
    }

    @Test
    @DisplayName("damage is told to whoever reads")
    void damaged() {
        first.add(
                new ScriptedAnswer(
                        500,
                        "{\"code\": \"state-corrupt\", \"detail\": \"State of stack 'shop' is damaged\", \"version\": \"v1\"}"));
        assertThatThrownBy(() -> states.load(SHOP)).isInstanceOf(StateCorruptException.class);
    }
}
