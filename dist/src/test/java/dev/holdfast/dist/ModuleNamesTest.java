package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The libraries as modules: their names are a promise to whoever writes {@code requires}. */
class ModuleNamesTest {
    /** What the lock client on SQLite needs besides itself. */
    private static final String NEEDED = "(slf4j-api|jackson-core|jspecify|sqlite-jdbc|HikariCP)-.*\\.jar";

    private static final Set<String> LIBRARIES =
            Set.of("holdfast-core", "holdfast-jdbc", "holdfast-state", "holdfast-wire", "holdfast-guard");

    @TempDir
    private Path directory;

    @Test
    @DisplayName(
            "each library has a name of its own, that of the package it begins with, and no package in common with another")
    void promised() throws IOException {
        Set<String> packages = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (Library library : Library.all()) {
            String name = library.module()
                    .orElseThrow(() -> new AssertionError(library + " has no property java.module.name in its pom"));
            assertThat(names.add(name))
                    .as("%s is the name of another, too", name)
                    .isTrue();
            Set<String> own = library.files("src/main/java").stream()
                    .filter(file -> file.endsWith("/package-info.java"))
                    .map(file -> file.replace("/package-info.java", "").replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(own).as("packages of %s", library).contains(name).allMatch(one -> one.startsWith(name));
            own.forEach(one -> assertThat(packages.add(one))
                    .as("%s, which %s has in common with another library", one, library)
                    .isTrue());
        }
        assertThat(names).hasSizeGreaterThan(10);
    }

    @Test
    @DisplayName("the jars have these names, and can all be modules together")
    void jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Library library : Library.all()) {
            Optional<Path> jar = library.jar();
            if (jar.isPresent()) {
                jars.add(jar.get());
                assertThat(ModuleFinder.of(jar.get()).findAll())
                        .extracting(found -> found.descriptor().name())
                        .containsExactly(library.module().orElseThrow());
            }
        }
        Assumptions.assumeTrue(!jars.isEmpty(), "no library was packed yet");
        Set<String> names = names(ModuleFinder.of(jars.toArray(Path[]::new)));
        jars.addAll(needed());
        Configuration together = Configuration.resolve(
                ModuleFinder.of(jars.toArray(Path[]::new)),
                List.of(ModuleLayer.boot().configuration()),
                ModuleFinder.of(),
                names);
        assertThat(together.modules()).extracting(module -> module.name()).containsAll(names);
    }

    private static Set<String> names(ModuleFinder finder) {
        return finder.findAll().stream()
                .map(ModuleReference::descriptor)
                .map(descriptor -> descriptor.name())
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("a lock is taken in modules, on a store that is found there as a service")
    void works() throws Exception {
        String said = run("""
                try (LockClient client = LockClient.connect(store[0]); Lease lease = client.acquire("report")) {
                    System.out.println(LockClient.class.getModule() + " " + lease.token());
                }
                """);
        assertThat(said).contains("module dev.holdfast 1");
    }

    @Test
    @DisplayName("modules that the core does not know find what is plugged into them")
    void found() throws Exception {
        assertThat(
                        run(
                                "System.out.println(dev.holdfast.guard.actuator.Actuators.of(java.util.Map.of(), java.util.Map.of()));"))
                .contains("Actuators");
    }

    @Test
    @DisplayName("what is internal cannot be used")
    void internal() throws Exception {
        assertThat(run("System.out.println(dev.holdfast.internal.engine.LockEngine.class);"))
                .contains("error: ")
                .contains("dev.holdfast.internal.engine is declared in module dev.holdfast");
    }

    /** What a program that does this says, with core and SQLite as modules. */
    private String run(String work) throws Exception {
        List<Path> path = new ArrayList<>();
        for (Library library : Library.all()) {
            if (LIBRARIES.contains(library.artifact())) {
                library.jar().ifPresent(path::add);
            }
        }
        Assumptions.assumeTrue(path.size() == LIBRARIES.size(), "the libraries were not packed yet");
        path.addAll(needed());
        Path program = directory.resolve("Program.java");
        Files.writeString(
                program,
                "import dev.holdfast.*;\nclass Program {\npublic static void main(String[] store) throws Exception {\n"
                        + work + "}\n}\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                        "--add-modules",
                        "ALL-MODULE-PATH",
                        program.toString(),
                        "sqlite:" + directory.resolve("locks.db"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private static List<Path> needed() {
        return Library.classPath()
                .filter(jar -> jar.getFileName().toString().matches(NEEDED))
                .toList();
    }
}
