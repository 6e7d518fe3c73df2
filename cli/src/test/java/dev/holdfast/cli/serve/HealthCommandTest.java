package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HealthCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String server) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("health", "--server", server);
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
        String nowhere = "http://127.0.0.1:" + ServerProcess.freePort();
        assertThat(run(nowhere)).isEqualTo(1);
        assertThat(err.toString()).contains(nowhere);
        assertThat(run("not a url")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("'not a url'");
    }
}
