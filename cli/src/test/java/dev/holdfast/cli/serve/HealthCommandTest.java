package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.servers.Certificates;
import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String server, String... more) {
        List<String> all = new ArrayList<>(List.of("health", "--server", server));
        all.addAll(List.of(more));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    @Test
    @DisplayName(
            "a server whose certificate nobody else knows is asked with --ca-file, and shown a certificate if it wants one")
    void overTls() throws Exception {
        Certificates both = Certificates.ec(directory, "locks");
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        both.writeTo(certificate, key);
        String[] tls = {
            "--store=memory:", "--server.tls.certificate=" + certificate, "--server.tls.key=" + key,
        };
        try (LocalServer server = LocalServer.start(directory, tls)) {
            String url = server.url().replace("http:", "https:");
            assertThat(run(url)).isEqualTo(1);
            assertThat(err.toString()).contains("--ca-file or HOLDFAST_CA_FILE");
            assertThat(run(url, "--ca-file", certificate.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("\"certificate\"", "It is good until");
            assertThat(run(url, "--ca-file", "no-such-file")).isEqualTo(ExitCodes.USAGE);
        }
        List<String> mutual = new ArrayList<>(List.of(tls));
        mutual.addAll(List.of("--server.tls.client-ca=" + certificate, "--server.tls.client-auth=required"));
        try (LocalServer server = LocalServer.start(directory, mutual.toArray(String[]::new))) {
            String url = server.url().replace("http:", "https:");
            assertThat(run(url, "--ca-file", certificate.toString())).isEqualTo(1);
            assertThat(run(
                            url,
                            "--ca-file",
                            certificate.toString(),
                            "--client-cert",
                            certificate.toString(),
                            "--client-key",
                            key.toString()))
                    .as(err.toString())
                    .isZero();
        }
    }

    @Test
    @DisplayName("a server that is ready is 0, one that is not is 1, with its reason")
    void asked() throws IOException {
        assertThat(answered(200, "{\"status\":\"UP\"}")).isZero();
        assertThat(answered(503, "{\"status\":\"DOWN\",\"reason\":\"the server is stopping\"}"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("UP").contains("the server is stopping");
    }

    private int answered(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/health/ready", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            return run("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        } finally {
            server.stop(0);
        }
    }

    @Test
    @DisplayName("nobody there is 1, and no URL is a wrong use")
    void notAsked() {
        String nowhere = "http://127.0.0.1:" + Ports.free();
        assertThat(run(nowhere)).isEqualTo(1);
        assertThat(err.toString()).contains(nowhere);
        assertThat(run("not a url")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("'not a url'");
    }
}
