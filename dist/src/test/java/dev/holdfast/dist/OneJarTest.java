package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is handed out. */
class OneJarTest {
    private static final Path JAR = Path.of(System.getProperty("holdfast.jar"));

    /** A JVM on a crowded machine may need this long. */
    private static final long LIMIT_SECONDS = 60;

    @TempDir
    private Path directory;

    @Test
    @DisplayName("it runs with java -jar, and takes a lock on each kind of file it brings a driver for")
    void runs() throws Exception {
        assertThat(run("version")).contains("holdfast ");
        assertThat(run("doctor", "--store", "sqlite:" + directory.resolve("locks.db")))
                .contains("tokens grow", "all well");
        assertThat(run("schema", "print", "--store", "postgresql:")).contains("holdfast_lock");
        assertThat(run("doctor", "--store", "postgresql://127.0.0.1:1/x")).contains("FAIL", "127.0.0.1:1");
        assertThat(run("doctor", "--store", "mariadb://127.0.0.1:1/x")).contains("FAIL", "127.0.0.1:1");
        assertThat(run("doctor", "--store", "dynamodb://key:secret@eu-central-1/locks?endpoint=http://127.0.0.1:1"))
                .contains("FAIL  Cannot reach DynamoDB table 'locks'", "127.0.0.1:1");
        assertThat(run("doctor", "--store", "s3://bucket/locks?endpoint=http://127.0.0.1:1"))
                .containsAnyOf(
                        "FAIL  Cannot reach s3://bucket/locks/", "FAIL  There are no credentials for s3://bucket");
    }

    @Test
    @DisplayName("what needs a server that is not in it says so")
    void benchmark() throws Exception {
        assertThat(run("bench", "core")).contains("--only sqlite,memory").doesNotContain("\tat ");
    }

    @Test
    @DisplayName("it serves: ready, asked by its own health command")
    void serves() throws Exception {
        Process server = start("serve", "--port=0", "--store=memory:");
        try {
            String url = url(server);
            assertThat(run("health", "--server", url)).contains("\"UP\"");
        } finally {
            server.destroy();
            assertThat(server.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.exitValue()).isZero();
    }

    @Test
    @DisplayName("it has every service, the licences, and no server, signature or module of another jar")
    void content() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Multi-Release"))
                    .isEqualTo("true");
            assertThat(text(jar, "META-INF/services/java.sql.Driver")).contains("sqlite", "postgresql", "mariadb");
            assertThat(text(jar, "META-INF/services/ch.qos.logback.classic.spi.Configurator"))
                    .contains("dev.holdfast");
            assertThat(text(jar, "META-INF/THIRD-PARTY.txt"))
                    .contains(
                            "logback", "BSD-2-Clause", "software.amazon.awssdk:dynamodb", "software.amazon.awssdk:sts");
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            List<String> names = jar.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .doesNotHaveDuplicates()
                    .noneMatch(name -> name.endsWith("module-info.class"))
                    .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)"))
                    .noneMatch(name -> name.matches("(io/zonky|org/junit|org/assertj|ch/vorburger)/.*|.*\\.txz"));
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }

    private Process start(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                JAR.toString()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(directory.toFile())
                .start();
    }

    private String run(String... args) throws IOException, InterruptedException {
        Process process = start(args);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /** What the first line after the start says. */
    private static String url(Process server) throws IOException {
        String marker = "listens on ";
        for (String line = server.inputReader().readLine();
                line != null;
                line = server.inputReader().readLine()) {
            if (line.contains(marker)) {
                return line.substring(line.indexOf(marker) + marker.length()).trim();
            }
        }
        throw new AssertionError("ended without saying where it listens");
    }
}
