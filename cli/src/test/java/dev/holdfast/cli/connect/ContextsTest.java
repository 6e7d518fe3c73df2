package dev.holdfast.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A file with contexts")
class ContextsTest {
    @TempDir
    private Path directory;

    private Path file;
    private Map<String, String> environment;

    @BeforeEach
    void place() {
        file = directory.resolve("holdfast/config.yaml");
        environment = Map.of("XDG_CONFIG_HOME", directory.toString(), "HOME", "/home/me");
    }

    private void written(String text) throws IOException {
        Files.createDirectories(directory.resolve("holdfast"));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    @DisplayName("is where the environment says")
    void where() {
        assertThat(Contexts.place(environment)).isEqualTo(file);
        assertThat(Contexts.place(Map.of("HOME", "/home/me")))
                .isEqualTo(Path.of("/home/me/.config/holdfast/config.yaml"));
        assertThat(Contexts.place(Map.of("HOLDFAST_CONTEXT_FILE", "/x.yaml", "XDG_CONFIG_HOME", "/y")))
                .isEqualTo(Path.of("/x.yaml"));
        assertThat(Contexts.place(Map.of("XDG_CONFIG_HOME", "relative", "HOME", "/h")))
                .isEqualTo(Path.of("/h/.config/holdfast/config.yaml"));
    }

    @Test
    @DisplayName("need not be there, unless it was named")
    void missing() {
        assertThat(Contexts.read(environment).all()).isEmpty();
        assertThatThrownBy(() -> Contexts.read(Map.of("HOLDFAST_CONTEXT_FILE", file.toString())))
                .hasMessageContaining("There is no file '" + file + "' (HOLDFAST_CONTEXT_FILE)");
    }

    @Test
    @DisplayName("is written whole, for its owner alone, and read back the same; a link to it stays one")
    void writes() throws IOException {
        Context prod = Context.of("prod").with(Map.of("server", "https://a,https://b", "namespace", "true"));
        new Contexts(file, Optional.of("prod"), Map.of("prod", prod)).write();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Contexts read = Contexts.read(environment);
        assertThat(read.current()).contains("prod");
        assertThat(read.all().get("prod").settings()).isEqualTo(prod.settings());
        Path real = directory.resolve("dotfiles.yaml");
        Files.move(file, real);
        Files.createSymbolicLink(file, real);
        read.without("prod").write();
        assertThat(file).isSymbolicLink();
        assertThat(Contexts.read(environment).all()).isEmpty();
        assertThat(Contexts.read(environment).current()).isEmpty();
        try (var left = Files.list(directory.resolve("holdfast"))) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    @DisplayName("is refused if others could change it, or read a password in it")
    void rights() throws IOException {
        written("contexts: {a: {store: 'postgresql://me:secret@db/x'}}\n");
        assertThat(Contexts.read(environment).all()).containsKey("a");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Contexts.read(environment))
                .hasMessageContaining("has a password")
                .hasMessageContaining("chmod 600 " + file)
                .hasMessageNotContaining("secret");
        written("contexts: {a: {store: 'sqlite:x.db'}}\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(Contexts.read(environment).all()).containsKey("a");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        assertThatThrownBy(() -> Contexts.read(environment)).hasMessageContaining("Others may change");
    }

    @Test
    @DisplayName("is refused if it belongs to somebody else, who could change it; that of root is fine")
    void owner() throws IOException {
        written("contexts: {a: {store: 'sqlite:x.db'}}\n");
        assertThat(Contexts.read(environment).all()).containsKey("a");
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "only root can give a file to somebody else");
        Files.setAttribute(file, "unix:uid", 65534);
        assertThatThrownBy(() -> Contexts.read(environment))
                .hasMessageContaining("'" + file + "' belongs to '")
                .hasMessageContaining("HOLDFAST_CONTEXT_FILE");
    }

    @Test
    @DisplayName("is changed by one at a time, so that no change is lost")
    void manyChanges() throws Exception {
        int many = 16;
        ExecutorService workers = Executors.newFixedThreadPool(many);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Boolean>> all = IntStream.range(0, many)
                    .mapToObj(number -> workers.submit(() -> {
                        start.await();
                        return Contexts.changing(environment, () -> {
                            Contexts.readIfAny(environment)
                                    .with(Context.of("c" + number).with(Map.of("server", "https://" + number)))
                                    .write();
                            return true;
                        });
                    }))
                    .toList();
            start.countDown();
            for (Future<Boolean> one : all) {
                assertThat(one.get()).isTrue();
            }
        } finally {
            workers.shutdownNow();
        }
        assertThat(Contexts.read(environment).all()).hasSize(many);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("says its line and what is wrong, and what was probably meant")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "contexts:;  a:;    sever: http://x | 3: unknown key 'sever'. Did you mean 'server'",
                "curent-context: a | 1: unknown key 'curent-context'. Did you mean 'current-context'?",
                "contexts:;  a:;    server: http://x;    token: hf_x | 4: context 'a' has a token in it.",
                "contexts:;  a:;    namespace: x | 3: context 'a' needs either server or store",
                "contexts:;  a:;    server: x;    store: y | 3: context 'a' needs either server or store",
                "current-context: prdo;contexts:;  prod:;    server: http://x | 1: current-context is 'prdo', and there is no such context. Did you mean 'prod'?",
                "contexts:;  a: {server: x};  a: {server: y} | 3: 'a' is there twice",
                "contexts:;  a: {server: {x: y}} | 2: server must be one word",
                "contexts:;  a b: {server: x} | 2: 'a b' is not a name for a context",
                "contexts: [ | this is not YAML",
                "- a | 1: The file must have fields",
            })
    void wrong(String text, String expected) throws IOException {
        written(text.replace(';', '\n') + "\n");
        assertThatThrownBy(() -> Contexts.read(environment))
                .hasMessageStartingWith(file + ":")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("hf_x");
    }
}
