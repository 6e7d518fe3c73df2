package dev.holdfast.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.ServerConfig;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("calls of a server that are not about locks")
@Timeout(60)
class ServerCallsTest {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"is\":\"ok\"}";

    private final List<ServerSocket> servers = new CopyOnWriteArrayList<>();
    /** The first letter of each request, after the number of the server. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    /** One that says this to whoever asks, and closes. */
    private String server(String said) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        servers.add(server);
        String name = String.valueOf(servers.size());
        Thread thread = new Thread(
                () -> {
                    while (!server.isClosed()) {
                        try (Socket socket = server.accept()) {
                            byte[] request = new byte[8192];
                            int length = socket.getInputStream().read(request);
                            asked.add(name + (length > 0 ? (char) request[0] : '-'));
                            socket.getOutputStream().write(said.getBytes(StandardCharsets.UTF_8));
                        } catch (IOException e) {
                            // the test has ended
                        }
                    }
                },
                "server");
        thread.setDaemon(true);
        thread.start();
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private String gone() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + server.getLocalPort();
        }
    }

    private static ServerCalls calls(String... servers) {
        return new ServerCalls(ServerConfig.of(servers));
    }

    @ParameterizedTest
    @DisplayName("a change without an answer may have been done: no other server is asked, and that is what is said")
    @ValueSource(strings = {"POST", "DELETE"})
    void unknown(String method) throws Exception {
        String silent = server("");
        Optional<String> body = method.equals("POST") ? Optional.of("{}") : Optional.empty();
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> calls(silent, server(ANSWER)).send(method, "/v2/tokens", body))
                .withMessageContaining("No answer came from " + silent)
                .withMessageContaining("may or may not have been done: look before you try again");
        assertThat(asked).containsExactly("1" + method.charAt(0));
    }

    @Test
    @DisplayName("a look without an answer is taken to the next server")
    void look() throws Exception {
        assertThat(calls(server(""), server(ANSWER))
                        .send("GET", "/v2/whoami", Optional.empty())
                        .at("is")
                        .plain())
                .isEqualTo("ok");
        assertThat(asked).containsExactly("1G", "2G");
    }

    @Test
    @DisplayName("a change that was sent nowhere is taken to the next server; without one, nothing answers")
    void notSent() throws Exception {
        assertThat(calls(gone(), server(ANSWER))
                        .send("POST", "/v2/tokens", Optional.of("{}"))
                        .at("is")
                        .plain())
                .isEqualTo("ok");
        assertThat(asked).containsExactly("1P");
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> calls(gone()).send("POST", "/v2/tokens", Optional.of("{}")))
                .withMessageContaining("(connection refused)");
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> calls("http://no-such-host.invalid").send("POST", "/v2/tokens", Optional.of("{}")))
                .withMessageContaining("(no such host)");
    }

    @ParameterizedTest
    @DisplayName("what is wrong means the same as for a client of locks")
    @CsvSource({
        "503, store-unusable, StoreUnusableException",
        "503, store-unavailable, StoreUnavailableException",
        "503, outcome-unknown, OutcomeUnknownException",
        "501, not-supported, StoreUnusableException",
        "421, wrong-host, StoreUnusableException",
        "403, forbidden, AccessRefusedException",
        "409, token-exists, CommandException"
    })
    void problems(int status, String code, String failure) throws Exception {
        String body = "{\"code\":\"" + code + "\",\"detail\":\"so it is\"}";
        String answer = "HTTP/1.1 " + status + " No\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        ServerCalls calls = calls(server(answer));
        assertThatThrownBy(() -> calls.send("GET", "/v2/tokens", Optional.empty()))
                .hasMessage("so it is")
                .satisfies(it -> assertThat(it.getClass().getSimpleName()).isEqualTo(failure));
    }
}
