package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the types in the comments of the scripts")
class TypesTest {
    private static final Path SOURCES = Path.of("src/main/resources/dev/holdfast/dashboard");
    private static final String WEBJARS = "META-INF/resources/webjars/";
    private static final String RULES = """
            {"compilerOptions": {"allowJs": true, "checkJs": true, "noEmit": true, "strict": true, "noUnusedLocals": true,
              "target": "es2022", "module": "es2022", "moduleResolution": "bundler", "skipLibCheck": true,
              "lib": ["es2022", "dom", "dom.iterable"], "types": []}, "include": ["src"]}
            """;

    @TempDir
    private Path directory;

    @Test
    @DisplayName("fit, says tsc --checkJs")
    void fit() throws IOException, InterruptedException {
        assumeTrue(hasNode(), "types are not checked: there is no Node on this machine");
        unpack("lit-html/3.3.1/", "node_modules/lit-html");
        unpack("lit-element/4.2.1/", "node_modules/lit-element");
        unpack("lit__reactive-element/2.1.1/", "node_modules/@lit/reactive-element");
        unpack("types__trusted-types/2.0.7/", "node_modules/@types/trusted-types");
        unpack("typescript/5.9.3/", "typescript");
        try (Stream<Path> written = Files.list(SOURCES)) {
            for (Path file :
                    written.filter(it -> it.toString().matches(".*\\.(js|ts)")).toList()) {
                Path copy = directory.resolve("src").resolve(file.getFileName().toString());
                Files.createDirectories(Objects.requireNonNull(copy.getParent()));
                Files.copy(file, copy);
            }
        }
        Files.writeString(directory.resolve("tsconfig.json"), RULES);
        assertThat(said("node", "typescript/lib/tsc.js", "-p", ".")).isEmpty();
    }

    private static boolean hasNode() {
        try {
            return new ProcessBuilder("node", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return output;
    }

    private void unpack(String from, String to) throws IOException {
        URL there = Objects.requireNonNull(getClass().getClassLoader().getResource(WEBJARS + from + "package.json"));
        JarURLConnection connection = (JarURLConnection) there.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream()
                    .filter(it -> !it.isDirectory() && it.getName().startsWith(WEBJARS + from))
                    .toList()) {
                Path file = directory.resolve(to).resolve(entry.getName().substring((WEBJARS + from).length()));
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.copy(jar.getInputStream(entry), file);
            }
        }
    }
}
