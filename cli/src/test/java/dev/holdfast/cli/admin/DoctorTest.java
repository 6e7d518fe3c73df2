package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.Stores;
import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.server.config.NewToken;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.testkit.servers.Ports;
import dev.holdfast.wire.backup.RecordPages;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private int checkServer(String url, String namespace, Optional<String> token) throws InterruptedException {
        Checkup checkup = new Checkup(new PrintWriter(out, true));
        ServerConfig server = ServerConfig.of(url);
        ServerCheckup.of(token.map(server::withToken).orElse(server), namespace, checkup)
                .run();
        return checkup.finish();
    }

    @Test
    @DisplayName("it checks the store it is given, and leaves no lock behind")
    void store() {
        Path file = directory.resolve("locks.db");
        for (String scheme : List.of("sqlite:", "jdbc:sqlite:")) {
            out.getBuffer().setLength(0);
            assertThat(run("doctor", "--store", scheme + file)).isZero();
            assertThat(out.toString()).contains("MB free");
        }
        assertThat(out.toString())
                .contains(
                        file.toString(),
                        "schema is current",
                        "20 reads: median",
                        "store clock known within",
                        "may list, read, write and delete",
                        "keeps history",
                        "lease 30 s",
                        "tokens grow")
                .endsWith("all well\n");
        List<String> left = new ArrayList<>();
        try (RecordStore store = Stores.open("sqlite:" + file)) {
            RecordPages.each(
                    store,
                    ScanRequest.all(),
                    found -> left.add(found.record().key().toString()));
        }
        assertThat(left).isEmpty();
    }

    @Test
    @DisplayName("it names the store it does not know, and those it does")
    void unknownStore() {
        assertThat(run("doctor", "--store", "nosuch:thing")).isEqualTo(ExitCodes.USAGE);
        assertThat(out.toString()).contains("FAIL", "nosuch:thing", "sqlite:");
    }

    @Test
    @DisplayName("it says what is wrong with a file that is no database, and does not touch it")
    void foreignFile() throws Exception {
        Path file = directory.resolve("notes.txt");
        String text = "these are my notes, not a database, and they are long enough to have a header ".repeat(20);
        Files.writeString(file, text);
        assertThat(run("doctor", "--store", "sqlite:" + file)).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(out.toString()).contains("FAIL", "notes.txt");
        assertThat(file).hasContent(text);
    }

    @Test
    @DisplayName("a server that does not answer is named, with what to look at")
    void nobody() {
        String url = "http://127.0.0.1:" + Ports.free();
        assertThat(run("doctor", "--server", url)).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(out.toString()).contains("FAIL", url, "Is it running").doesNotContain("all well", "\tat ");
        assertThat(run("doctor", "--server", "ht tp://x")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("something else that speaks HTTP is not taken for a server")
    void somethingElse() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            assertThat(run("doctor", "--server", url)).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(out.toString()).contains("not like a Holdfast server");
        } finally {
            other.stop(0);
        }
    }

    @Test
    @DisplayName("on a server it tells latency, clock and roles, and takes locks")
    void server() throws Exception {
        try (LocalServer server = LocalServer.start(directory, "--store=memory:")) {
            assertThat(checkServer(server.url() + "/", "default", Optional.empty()))
                    .isZero();
            assertThat(out.toString())
                    .contains("is ready; its store is", "20 round trips: median", "server clock is ")
                    .contains("ok    in 'default', a caller without a token may: read, lock, admin")
                    .contains("tokens grow");
        }
    }

    @Test
    @DisplayName("it finds out what a token may do, and says so when it may not")
    void roles() throws Exception {
        NewToken reader = NewToken.create("reader", Map.of("*", Set.of("read")), Optional.empty(), Optional.empty());
        NewToken worker =
                NewToken.create("worker", Map.of("web", Set.of("read", "lock")), Optional.empty(), Optional.empty());
        Path config = Files.writeString(directory.resolve("holdfast.yaml"), tokens(reader, worker));
        try (LocalServer server = LocalServer.start(directory, "--store=memory:", "--config=" + config)) {
            String url = server.url();
            assertThat(checkServer(url, "web", Optional.of(worker.secret()))).isZero();
            assertThat(out.toString()).contains("ok    in 'web', the token may: read, lock\n");
            assertThat(checkServer(url, "web", Optional.of(reader.secret()))).isZero();
            assertThat(out.toString()).contains("warn  in 'web', the token may: read; it may not take locks");
            assertThat(checkServer(url, "other", Optional.of(worker.secret()))).isEqualTo(ExitCodes.REFUSED);
            assertThat(out.toString()).contains("FAIL  in 'other', the token may: nothing");
            assertThat(checkServer(url, "web", Optional.empty())).isEqualTo(ExitCodes.REFUSED);
            assertThat(out.toString()).contains("wants a token");
            assertThat(checkServer(url, "web", Optional.of("hf_wrong"))).isEqualTo(ExitCodes.REFUSED);
            assertThat(out.toString()).contains("does not know this token").doesNotContain("hf_wrong", reader.secret());
        }
    }

    private static String tokens(NewToken... tokens) {
        StringBuilder yaml = new StringBuilder("auth:\n  tokens:\n");
        for (NewToken token : tokens) {
            yaml.append(token.yaml().indent(4));
        }
        return yaml.toString();
    }
}
