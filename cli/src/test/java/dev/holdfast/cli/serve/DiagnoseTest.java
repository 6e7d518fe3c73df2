package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast diagnose")
class DiagnoseTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        List<String> all = new ArrayList<>(List.of("diagnose"));
        all.addAll(List.of(args));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private static Map<String, String> unzipped(Path file) throws IOException {
        Map<String, String> parts = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                parts.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return parts;
    }

    private static String entry(String id, String secret, String roles) {
        return "  - {id: " + id + ", sha256: " + TokenSecret.sha256(secret) + ", roles: " + roles + "}\n";
    }

    @Test
    @DisplayName("writes everything into one file for its owner alone, without secrets, and overwrites none")
    void everything() throws IOException {
        Path file = directory.resolve("ticket.zip");
        try (LocalServer server = LocalServer.start(
                directory,
                "--locker.dynamodb.access-key-id=me",
                "--locker.dynamodb.secret-access-key=hunter2",
                "--store=memory:")) {
            assertThat(run("--server", server.url(), file.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(run("--server", server.url(), file.toString())).isEqualTo(ExitCodes.USAGE);
        }
        assertThat(out.toString()).contains("Wrote " + file);
        assertThat(err.toString()).contains("already");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Map<String, String> parts = unzipped(file);
        assertThat(parts)
                .containsOnlyKeys(
                        "manifest.txt",
                        "server.json",
                        "health.json",
                        "settings.json",
                        "store.json",
                        "load.json",
                        "log-level.json",
                        "log.txt",
                        "threads.txt",
                        "metrics.txt");
        assertThat(parts.values()).allSatisfy(text -> assertThat(text).doesNotContain("hunter2"));
        assertThat(parts.get("settings.json")).contains("***");
        assertThat(parts.get("health.json")).contains("\"parts\"", "\"writes\"");
        assertThat(parts.get("threads.txt")).contains("vert.x-eventloop");
        assertThat(parts.get("metrics.txt")).contains("holdfast_build_info");
    }

    @Test
    @DisplayName("says what is missing, in the file too, and writes the rest")
    void partly() throws IOException {
        Path file = directory.resolve("ticket.zip");
        try (LocalServer server = LocalServer.start(directory, "--metrics.enabled=false", "--store=memory:")) {
            assertThat(run("--server", server.url(), file.toString())).isEqualTo(ExitCodes.FAILURE);
        }
        assertThat(err.toString()).contains("metrics.txt is missing");
        assertThat(unzipped(file)).containsKeys("health.json", "threads.txt").doesNotContainKey("metrics.txt");
        assertThat(unzipped(file).get("manifest.txt")).contains("missing  metrics.txt  /metrics: ");
    }

    @Test
    @DisplayName("writes nothing for who is no admin, without a server, or for a store")
    void nothing() throws IOException {
        Files.writeString(
                directory.resolve("holdfast.yaml"), "auth.tokens:\n" + entry("reader", "hf_reader", "{'*': [read]}"));
        Path token = Files.writeString(directory.resolve("token"), "hf_reader");
        Path file = directory.resolve("ticket.zip");
        try (LocalServer server = LocalServer.start(directory, "--store=memory:")) {
            assertThat(run("--server", server.url(), "--token-file", token.toString(), file.toString()))
                    .isEqualTo(ExitCodes.REFUSED);
            assertThat(err.toString()).contains("role admin");
            assertThat(run("--server", server.url(), file.toString())).isEqualTo(ExitCodes.REFUSED);
        }
        String nowhere = "http://127.0.0.1:" + Ports.free();
        assertThat(run("--server", nowhere, file.toString())).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("No Holdfast server answers at " + nowhere);
        assertThat(run("--store", "memory:", file.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(file).doesNotExist();
    }
}
