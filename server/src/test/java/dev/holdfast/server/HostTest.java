package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.RawClient.Reaction;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a server that asks nobody, called by other names")
class HostTest {
    private static final String BODY =
            "{\"namespace\":\"n\",\"name\":\"job\",\"lease_ms\":60000,\"lease_id\":\"lease-of-job\"}";

    private static Reaction acquire(TestServer server, String headers) throws IOException {
        return RawClient.send(
                server.server.port(),
                "POST /v2/locks/acquire HTTP/1.1\r\n" + headers + "Content-Type: application/json\r\nContent-Length: "
                        + BODY.length() + "\r\n\r\n" + BODY);
    }

    private static Reaction look(TestServer server, String target, String headers) throws IOException {
        return RawClient.send(server.server.port(), "GET " + target + " HTTP/1.1\r\n" + headers + "\r\n");
    }

    @Test
    @DisplayName("authentication.disabled: a page that points its own name here is 421, and says how to allow a name")
    void rebinding() throws IOException {
        try (TestServer server = new Setup()
                .auth(new AuthConfig(true, Optional.empty(), List.of()))
                .start()) {
            Reaction evil = acquire(server, "Host: evil.example\r\nOrigin: http://evil.example\r\n");
            assertThat(evil.status()).isEqualTo(421);
            assertThat(evil.text()).contains("wrong-host", "server.allowed-hosts");
            assertThat(look(server, "/v2/locks", "Host: evil.example\r\n").status())
                    .isEqualTo(421);
            assertThat(look(server, "/metrics", "Host: evil.example\r\n").status())
                    .as("what is open to all is not open to pages either")
                    .isEqualTo(421);
            assertThat(Client.of(server).look("job").get("holders").list()).isEmpty();
            for (String host : List.of("localhost", "127.0.0.1:80", "[::1]", "192.0.2.1")) {
                assertThat(look(server, "/v2/locks", "Host: " + host + "\r\n").status())
                        .as(host)
                        .isEqualTo(200);
            }
            assertThat(Client.of(server).get("/metrics").body())
                    .contains("holdfast_auth_refused_total{reason=\"host\"} 3.0");
        }
    }

    @Test
    @DisplayName("the names it was given are answered")
    void allowed() throws IOException {
        try (TestServer server =
                new Setup().allowedHosts("holdfast", "*.example.com").start()) {
            assertThat(look(server, "/v2/locks", "Host: holdfast:8080\r\n").status())
                    .isEqualTo(200);
            assertThat(look(server, "/v2/locks", "Host: a.example.com\r\n").status())
                    .isEqualTo(200);
            assertThat(look(server, "/v2/locks", "Host: example.com\r\n").status())
                    .isEqualTo(421);
            assertThat(acquire(server, "Host: holdfast\r\nOrigin: http://holdfast\r\n")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("no Host is nobody's page; two of them, or another one in the request line, are refused")
    void odd() throws IOException {
        try (TestServer server = TestServer.onMemory()) {
            assertThat(RawClient.send(server.server.port(), "GET /v2/locks HTTP/1.0\r\n\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(look(server, "/v2/locks", "Host: localhost\r\nHost: evil.example\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(look(server, "/v2/locks", "Host: localhost\r\nHost: localhost\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(look(server, "http://evil.example/v2/locks", "Host: localhost\r\n")
                            .status())
                    .isEqualTo(421);
            assertThat(look(server, "http://localhost/v2/locks", "Host: localhost\r\n")
                            .status())
                    .isEqualTo(200);
            for (String host : List.of("", "[", ":", "localhost@evil.example", "evil.example#localhost", "0x7f.1")) {
                assertThat(look(server, "/v2/locks", "Host: " + host + "\r\n").status())
                        .as("host '" + host + "'")
                        .isIn(400, 421);
            }
        }
    }

    @Test
    @DisplayName("who asks for credentials answers to every name: a page has none")
    void asks() throws IOException {
        AuthConfig auth = new AuthConfig(
                false, Optional.empty(), List.of(TokenEntry.of("one", "token-of-one", Grants.everywhere(Role.READ))));
        try (TestServer server = new Setup().auth(auth).start()) {
            assertThat(look(server, "/v2/locks", "Host: lock.example\r\nAuthorization: Bearer token-of-one\r\n")
                            .status())
                    .isEqualTo(200);
        }
    }
}
