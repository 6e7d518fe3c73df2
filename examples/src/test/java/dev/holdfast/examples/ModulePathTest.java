package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("an application of modules")
class ModulePathTest {
    private static final List<String> NEEDED =
            List.of("holdfast-core-", "holdfast-jdbc-", "sqlite-jdbc-", "slf4j-api-", "jackson-core-", "jspecify-");

    @TempDir
    private Path directory;

    private final String modules = Arrays.stream(
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                            .split(File.pathSeparator))
            .filter(entry -> NEEDED.stream()
                    .anyMatch(name -> Path.of(entry).getFileName().toString().startsWith(name)))
            .collect(Collectors.joining(File.pathSeparator));

    @BeforeEach
    void jars() {
        assumeTrue(
                modules.contains("holdfast-core-") && modules.contains("holdfast-jdbc-"),
                "modules are directories here, not jars: run mvn verify");
    }

    /** What the compiler says about an application with this class. */
    private String compile(String main) throws IOException {
        Path info = Files.writeString(
                directory.resolve("module-info.java"), "module app { requires dev.holdfast; requires java.sql; }");
        Path source = Files.createDirectories(directory.resolve("app")).resolve("Main.java");
        Files.writeString(source, main);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        said,
                        said,
                        "--module-path",
                        modules,
                        "-d",
                        directory.resolve("classes").toString(),
                        info.toString(),
                        source.toString());
        return said.toString(StandardCharsets.UTF_8);
    }

    private static String main(String body) {
        return "package app;\npublic class Main {\n  public static void main(String[] args) throws Exception {\n" + body
                + "\n  }\n}\n";
    }

    @Test
    @DisplayName("takes locks, and finds the stores beside it")
    void runs() throws Exception {
        assertThat(compile(main("""
                        try (var locks = dev.holdfast.LockClient.connect("sqlite:" + args[0]);
                                var lease = locks.acquire("report")) {
                          System.out.println("valid " + lease.isValid());
                        }
                        """))).isEmpty();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        Stream.of(modules, directory.resolve("classes").toString())
                                .collect(Collectors.joining(File.pathSeparator)),
                        "--module",
                        "app/app.Main",
                        directory.resolve("locks.db").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("valid true");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    @DisplayName("cannot use what is internal")
    void internal() throws IOException {
        assertThat(compile(main("dev.holdfast.engine.LockEngine engine = null;")))
                .contains("dev.holdfast.engine");
    }
}
