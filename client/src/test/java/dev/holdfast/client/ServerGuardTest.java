package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ClientConfig;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnusableException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the guard of a server")
class ServerGuardTest {
    private static final Registration SHOP = new Registration(
            "shop",
            "http://127.0.0.1:9/",
            List.of(new Registration.Use("postgres", Optional.of("db1:5432"), Optional.empty(), Optional.empty())),
            Optional.of("running"));

    private HoldfastServer server;
    private Guard guard;

    @BeforeEach
    void start() {
        server = LocalServer.inMemory();
        guard = ServerGuard.connect(ServerConfig.of(LocalServer.url(server)), ClientConfig.DEFAULT);
    }

    @AfterEach
    void stop() {
        guard.close();
        server.close();
    }

    @Test
    @DisplayName("apps are registered, one or many, looked at, and forgotten")
    void apps() throws Exception {
        App app = guard.register(SHOP).app();
        assertThat(app.name()).isEqualTo("shop");
        assertThat(guard.app("shop")).isEqualTo(app);
        assertThat(guard.registerAll(List.of(SHOP))).isNotNull();
        assertThat(guard.apps()).extracting(App::name).containsExactly("shop");
        assertThat(guard.status("shop").get()).isNotNull();
        assertThat(guard.unregister("shop")).isTrue();
        assertThat(guard.unregister("shop")).isFalse();
        assertThat(guard.apps()).isEmpty();
    }

    @Test
    @DisplayName("an app that does not answer is waited for as long as the server waits for it, and told as such")
    void silentApp() throws Exception {
        ClientConfig quick = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1));
        try (ServerSocket app = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Guard hurried = ServerGuard.connect(ServerConfig.of(LocalServer.url(server)), quick)) {
            String url = "http://127.0.0.1:" + app.getLocalPort() + "/";
            hurried.register(new Registration("shop", url, SHOP.databases(), Optional.empty()));
            assertThat(hurried.status("shop").get().status()).isEqualTo(QuickStatus.Word.UNKNOWN);
        }
    }

    @Test
    @DisplayName("an app that is meant to run keeps its database from being stopped")
    void stops() throws Exception {
        guard.register(SHOP);
        String id = guard.resources().get(0).dbIdentifier();
        assertThat(guard.resource(id)).isPresent();
        assertThat(guard.resource("nothing-of-this-name")).isEmpty();
        assertThat(guard.checkStop("shop").app()).isEqualTo("shop");
        assertThat(guard.stop("shop").decisions()).hasSize(1);
        assertThat(guard.checkStart("shop").decisions()).hasSize(1);
    }

    @Test
    @DisplayName("what is wrong is told as in a process of its own")
    void refusals() {
        assertThatThrownBy(() -> guard.app("nobody")).isInstanceOf(UnknownAppException.class);
        assertThatThrownBy(() -> guard.stop("nobody")).isInstanceOf(UnknownAppException.class);
        assertThatThrownBy(() -> guard.register(new Registration("shop", "x", List.of(), Optional.empty())))
                .isInstanceOf(InvalidAppException.class);
    }

    @Test
    @DisplayName("words of a newer server end in the advice to upgrade, not in a mistake of the caller")
    void newerWords() throws Exception {
        byte[] app =
                "{\"items\": [{\"app\": \"shop\", \"url\": \"http://a/\", \"desired\": \"hibernating\", \"version\": 1}]}"
                        .getBytes(StandardCharsets.UTF_8);
        HttpServer newer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        newer.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, app.length);
            exchange.getResponseBody().write(app);
            exchange.close();
        });
        newer.start();
        try (Guard other = ServerGuard.connect(
                ServerConfig.of("http://127.0.0.1:" + newer.getAddress().getPort()), ClientConfig.DEFAULT)) {
            assertThatThrownBy(other::apps)
                    .isInstanceOf(StoreUnusableException.class)
                    .hasMessageContainingAll("hibernating", "upgrade");
        } finally {
            newer.stop(0);
        }
    }

    /** An app that nobody looks at, on a server that keeps locks and documents in these places. */
    private static HoldfastServer serving(String locks, String documents) {
        return LocalServer.with("--store=" + locks, "--guard.store=" + documents);
    }

    @Test
    @DisplayName("a stop that is stored while the locks do not take writes is pending, and says so")
    void locksAway(@TempDir Path directory) throws Exception {
        Path locks = directory.resolve("locks.db");
        HoldfastServer other = serving("sqlite:" + locks, "file:" + directory.resolve("documents"));
        try (Guard far = ServerGuard.connect(ServerConfig.of(LocalServer.url(other)), ClientConfig.DEFAULT)) {
            far.register(SHOP);
            GuardDecision decision;
            try (Connection writer = DriverManager.getConnection("jdbc:sqlite:" + locks)) {
                writer.createStatement().execute("begin immediate");
                decision = far.stop("shop").decisions().get(0);
                writer.createStatement().execute("rollback");
            }
            assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(decision.reason()).contains("the stop is stored and continues by itself");
            assertThat(far.app("shop").desired()).isEqualTo(DesiredState.STOPPED);
        } finally {
            other.close();
        }
    }

    @Test
    @DisplayName("whether a call forgot an app is not known if its first answer was lost; the app is gone")
    void unregisterLost() throws Exception {
        guard.register(SHOP);
        try (Front front = new Front(LocalServer.url(server));
                Guard far = ServerGuard.connect(ServerConfig.of(front.url()), ClientConfig.DEFAULT)) {
            front.next("/api/guard/apps/shop", Front.Fault.LOSE_ANSWER);
            assertThatThrownBy(() -> far.unregister("shop"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("App 'shop' is not registered");
            assertThat(far.apps()).isEmpty();
        }
    }

    @Test
    @DisplayName("a name that no app can have is one of no app")
    void oddNames() throws Exception {
        for (String name : List.of("", "a/b", "..", "x y", "a?b", "x".repeat(200))) {
            assertThatThrownBy(() -> guard.app(name)).as(name).isInstanceOf(UnknownAppException.class);
            assertThatThrownBy(() -> guard.status(name)).as(name).isInstanceOf(UnknownAppException.class);
            assertThatThrownBy(() -> guard.stop(name)).as(name).isInstanceOf(UnknownAppException.class);
            assertThat(guard.unregister(name)).as(name).isFalse();
            assertThatThrownBy(() ->
                            guard.register(new Registration(name, SHOP.url(), SHOP.databases(), Optional.empty())))
                    .as(name)
                    .isInstanceOf(InvalidAppException.class);
            assertThat(guard.resource(name)).as(name).isEmpty();
        }
    }
}
