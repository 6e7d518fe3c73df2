package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is handed out. */
class OneJarTest {
    private static final Path JAR = Path.of(System.getProperty("holdfast.jar"));

    /** A JVM on a crowded machine may need this long. */
    private static final long LIMIT_SECONDS = 60;

    /** A line of the list of licences: {@code … (group:artifact:version - address)}. */
    private static final Pattern LIBRARY = Pattern.compile("(?m)\\(([^:() ]+):([^:() ]+):([^:() ]+) - [^)]*\\)$");
    /** In the list of components, {@code group/artifact@version}. */
    private static final Pattern COMPONENT = Pattern.compile("\"purl\" : \"pkg:maven/([^?\"]+)");

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
    @DisplayName("commands for work on Holdfast itself are not in it, and say where they are")
    void forWorkOnItself() throws Exception {
        assertThat(run("bench", "core", "--only", "memory"))
                .contains("./holdfast bench")
                .doesNotContain("\tat ");
        assertThat(run("simulate", "--seeds", "10"))
                .contains("./holdfast simulate")
                .doesNotContain("\tat ");
        assertThat(run("--help")).contains("serve", "doctor").doesNotContain("simulate", "bench");
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
                    .noneMatch(name -> name.matches("(io/zonky|org/junit|org/assertj|ch/vorburger)/.*|.*\\.txz"))
                    .noneMatch(name -> name.matches("dev/holdfast/(test|testkit|bench)/.*"));
        }
    }

    @Test
    @DisplayName(
            "its list of components has each library of the list of licences, with version and checksum, and nothing of a test")
    void components() throws IOException {
        Assumptions.assumeFalse(
                System.getProperty("holdfast.maven").equals("offline: true"),
                "mvn -o makes no list of components: its plugin wants to be online");
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String sbom = text(jar, "META-INF/sbom/holdfast.cdx.json");
            assertThat(sbom).contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/dev.holdfast/holdfast-server@");
            List<String> licensed = found(LIBRARY, text(jar, "META-INF/THIRD-PARTY.txt"))
                    .map(one -> one.group(1) + "/" + one.group(2) + "@" + one.group(3))
                    .toList();
            List<String> listed = found(COMPONENT, sbom)
                    .map(one -> one.group(1))
                    .filter(name -> !name.startsWith("dev.holdfast/"))
                    .toList();
            assertThat(licensed).hasSizeGreaterThan(50).containsExactlyInAnyOrderElementsOf(listed);
            assertThat(found(Pattern.compile("\"alg\" : \"SHA-256\""), sbom)).hasSizeGreaterThan(listed.size());
            assertThat(sbom).doesNotContain("junit", "assertj", "holdfast-test", "holdfast-bench", "zonky");
        }
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
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
                String rest =
                        line.substring(line.indexOf(marker) + marker.length()).strip();
                return rest.split(" ", 2)[0];
            }
        }
        throw new AssertionError("ended without saying where it listens");
    }
}
