package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ClientConfig;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what the guard of a server answers, as its client understands it")
class ServerGuardAnswersTest {
    private static final Registration SHOP =
            new Registration("shop", "http://127.0.0.1:9/", List.of(), Optional.empty());

    private record Scripted(int status, String type, String body) {
        static Scripted problem(int status, String code) {
            return new Scripted(
                    status,
                    "application/problem+json",
                    "{\"status\":" + status + ",\"code\":\"" + code + "\",\"detail\":\"said so\"}");
        }

        static Scripted json(String body) {
            return new Scripted(200, "application/json", body);
        }
    }

    /** Answers to the next requests; the last one stays. */
    private final Queue<Scripted> answers = new ArrayDeque<>();

    private HttpServer server;
    private Guard guard;
    /** For what is asked again until time is up: nothing else is short of time on a machine that is crowded. */
    private Guard hurried;

    private Map<String, ThrowingCallable> reads;
    private Map<String, ThrowingCallable> changes;
    private Map<String, ThrowingCallable> all;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", this::answer);
        server.start();
        ServerConfig config =
                ServerConfig.of("http://127.0.0.1:" + server.getAddress().getPort());
        guard = ServerGuard.connect(config, ClientConfig.DEFAULT);
        hurried = ServerGuard.connect(config, ClientConfig.DEFAULT.withOperationTimeout(Duration.ofMillis(300)));
        reads = reads(guard);
        changes = changes(guard);
        all = both(reads, changes);
    }

    private static Map<String, ThrowingCallable> reads(Guard guard) {
        Map<String, ThrowingCallable> reads = new LinkedHashMap<>();
        reads.put("apps", guard::apps);
        reads.put("app", () -> guard.app("shop"));
        reads.put("status", () -> guard.status("shop").join());
        reads.put("resources", guard::resources);
        reads.put("resource", () -> guard.resource("db1:5432"));
        reads.put("checkStop", () -> guard.checkStop("shop"));
        reads.put("checkStart", () -> guard.checkStart("shop"));
        return reads;
    }

    private static Map<String, ThrowingCallable> changes(Guard guard) {
        Map<String, ThrowingCallable> changes = new LinkedHashMap<>();
        changes.put("register", () -> guard.register(SHOP));
        changes.put("registerAll", () -> guard.registerAll(List.of(SHOP)));
        changes.put("unregister", () -> guard.unregister("shop"));
        changes.put("stop", () -> guard.stop("shop"));
        changes.put("start", () -> guard.start("shop"));
        return changes;
    }

    private static Map<String, ThrowingCallable> both(
            Map<String, ThrowingCallable> some, Map<String, ThrowingCallable> others) {
        Map<String, ThrowingCallable> all = new LinkedHashMap<>(some);
        all.putAll(others);
        return all;
    }

    @AfterEach
    void stop() {
        guard.close();
        hurried.close();
        server.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        Scripted next = answers.size() > 1 ? answers.remove() : answers.element();
        byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", next.type());
        exchange.sendResponseHeaders(next.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private synchronized void answering(Scripted... scripted) {
        answers.clear();
        answers.addAll(List.of(scripted));
    }

    private void assertAll(
            Map<String, ThrowingCallable> calls, Class<? extends Throwable> failure, Scripted... scripted) {
        calls.forEach((name, call) -> {
            answering(scripted);
            Throwable thrown = catchThrowable(call);
            assertThat(thrown).as("%s answered %s", name, List.of(scripted)).isInstanceOf(failure);
        });
    }

    @Test
    @DisplayName("a refusal is never an empty list, nothing of that name, or done")
    void refused() {
        assertAll(all, AccessRefusedException.class, Scripted.problem(401, "unauthorized"));
        assertAll(all, AccessRefusedException.class, Scripted.problem(403, "forbidden"));
        assertAll(all, IllegalArgumentException.class, Scripted.problem(400, "invalid-request"));
        assertAll(all, StoreUnavailableException.class, Scripted.problem(503, "guard-off"));
        assertAll(all, StoreUnusableException.class, Scripted.problem(503, "store-unusable"));
    }

    @Test
    @DisplayName("what may be done later, or was perhaps done, is asked for again until time is up, and told then")
    void askedAgain() {
        assertAll(
                both(reads(hurried), changes(hurried)),
                StoreUnavailableException.class,
                Scripted.problem(503, "store-unavailable"));
        assertAll(changes(hurried), OutcomeUnknownException.class, Scripted.problem(503, "outcome-unknown"));
    }

    @Test
    @DisplayName("a server without a guard has neither no apps nor no resources")
    void withoutGuard() {
        assertAll(all, StoreUnusableException.class, Scripted.problem(404, "not-found"));
        assertAll(all, StoreUnusableException.class, Scripted.problem(409, "of-a-newer-server"));
        assertAll(all, StoreUnusableException.class, Scripted.problem(423, "of-a-newer-server"));
    }

    @Test
    @DisplayName("a page of somebody else, or words that came later, are no answer; what was changed then is not known")
    void notUnderstood() {
        Scripted page = new Scripted(200, "text/html", "<html>Log in first</html>");
        Scripted later = Scripted.json("{\"app\": \"shop\", \"decisions\": [{\"db_identifier\": \"db1:5432\","
                + " \"decision\": \"hibernating\"}], \"desired\": \"hibernating\", \"url\": \"http://a/\","
                + " \"items\": [{\"app\": \"shop\"}], \"status\": \"ASLEEP\"}");
        assertAll(reads, StoreUnusableException.class, page);
        assertAll(changes, OutcomeUnknownException.class, page);
        assertAll(reads, StoreUnusableException.class, later);
        for (String name : List.of("register", "stop", "start")) {
            assertAll(Map.of(name, changes.get(name)), OutcomeUnknownException.class, later);
        }
    }

    @Test
    @DisplayName("a listing that does not end is no list")
    void endless() {
        assertAll(
                Map.of("apps", reads.get("apps"), "resources", reads.get("resources")),
                StoreUnusableException.class,
                Scripted.json("{\"items\": [], \"next_cursor\": \"on-and-on\"}"));
    }

    @Test
    @DisplayName(
            "a refusal of a repetition, or what is no answer to it, says nothing of the first try, whose answer was lost")
    void refusedRepetition() {
        Scripted lost = new Scripted(502, "text/plain", "");
        assertAll(changes, OutcomeUnknownException.class, lost, Scripted.json("[]"));
        assertAll(changes, OutcomeUnknownException.class, lost, Scripted.problem(404, "unknown-app"));
        assertAll(changes, OutcomeUnknownException.class, lost, Scripted.problem(422, "invalid-app"));
        Map<String, ThrowingCallable> ofAnApp = new LinkedHashMap<>(reads);
        ofAnApp.keySet().removeAll(List.of("apps", "resources", "resource"));
        assertAll(ofAnApp, UnknownAppException.class, lost, Scripted.problem(404, "unknown-app"));
    }

    @Test
    @DisplayName("what is not there is told as such where that is certain")
    void missing() throws Exception {
        answering(Scripted.problem(404, "unknown-app"));
        assertThat(guard.unregister("shop")).isFalse();
        assertThatThrownBy(() -> guard.stop("shop")).isInstanceOf(UnknownAppException.class);
        answering(Scripted.problem(404, "unknown-resource"));
        assertThat(guard.resource("db1:5432")).isEmpty();
        answering(Scripted.problem(422, "invalid-app"));
        assertThatThrownBy(() -> guard.register(SHOP))
                .isInstanceOf(InvalidAppException.class)
                .hasMessage("said so");
    }

    @Test
    @DisplayName("an app whose removal was lost on the way is gone, and whether this call removed it is not known")
    void unregisterLost() {
        answering(new Scripted(502, "text/plain", ""), Scripted.problem(404, "unknown-app"));
        assertThatThrownBy(() -> guard.unregister("shop"))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContainingAll("App 'shop' is not registered", "this call");
    }
}
