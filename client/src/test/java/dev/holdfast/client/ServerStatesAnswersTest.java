package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ClientConfig;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.Provenance;
import dev.holdfast.state.SaveOutcome;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.StateVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
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
}
