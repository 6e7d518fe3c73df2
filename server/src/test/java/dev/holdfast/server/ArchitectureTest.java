package dev.holdfast.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.server.auth.CredentialStanding;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.http.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package of the server may know which. */
@DisplayName("in the server")
class ArchitectureTest {
    private static final String SERVER = "dev.holdfast.server";
    private static final int MOST_FILES = 25;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/test/"))
            .importPackages(SERVER);

    @Test
    @DisplayName("authentication knows none of the other packages; its parts know what they have in common")
    void auth() {
        mayUse("auth", "auth");
        mayUse("auth.jwt", "auth", "auth.jwt");
        mayUse("auth.tls", "auth", "auth.tls");
        mayUse("auth.login", "auth", "auth.jwt", "auth.login");
    }

    @Test
    @DisplayName(
            "metrics and traces know no other package; the audit knows metrics, logs know the audit, and load knows logs")
    void observe() {
        mayUse("observe", "observe");
        mayUse("observe.metrics", "observe", "observe.metrics");
        mayUse("observe.tracing", "observe", "observe.tracing");
        mayUse("observe.audit", "observe", "observe.metrics", "observe.audit");
        mayUse("observe.logs", "observe", "observe.audit", "observe.logs");
        mayUse("observe.load", "observe", "observe.logs", "observe.load");
    }

    @Test
    @DisplayName("settings know who may log in, and nothing of how a server runs; kinds of values know no setting")
    void config() {
        mayUse("config.values", "config.values", "auth..");
        mayUse("config.settings", "config.settings", "config.values", "auth..");
        mayUse("config", "config", "config.settings", "config.values", "auth..");
    }

    @Test
    @DisplayName("HTTP knows authentication and what observes it, and no lock")
    void http() {
        mayUse("http", "http", "auth..", "observe..");
        mayUse("http.edge", "http", "http.edge", "auth..", "observe..");
        noClasses()
                .that(resideInAPackage(SERVER + ".http.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.holdfast.internal.engine..", "dev.holdfast.internal.rules..", "dev.holdfast.state.."))
                .check(CLASSES);
    }

    @Test
    @DisplayName("only the edge says who calls: public for it alone")
    void caller() {
        noClasses()
                .that(resideOutsideOfPackage(SERVER + ".http.edge"))
                .should()
                .callMethod(Call.class, "by", Principal.class)
                .orShould()
                .callMethod(Call.class, "as", CredentialStanding.class)
                .check(CLASSES);
    }

    @Test
    @DisplayName(
            "calls know HTTP, authentication and what observes them; only those that tell it know how the server was configured")
    void calls() {
        mayUse("survey", "survey", "auth");
        mayUse("routes", "routes", "survey", "http", "auth..", "observe..");
        mayUse("overview", "overview", "routes", "health", "survey", "http", "auth");
        mayUse("health", "health", "http", "observe.load");
        mayUse("admin", "admin", "health", "notify", "http", "auth", "observe..");
        mayUse("guard", "guard", "http", "auth..", "observe..");
        mayUse("state", "state", "routes", "http", "auth..", "observe..");
        mayUse("about", "about", "http", "auth", "config", "config.settings", "config.values");
        mayUse("tokens", "tokens", "http", "auth..", "observe..");
        mayUse("backup", "backup", "http", "auth");
        mayUse("docs", "docs", "http");
        mayUse("dashboard", "dashboard", "http");
        mayUse("demo", "demo", "observe..");
        mayUse("notify", "notify", "auth", "observe", "observe.logs", "observe.metrics");
    }

    @Test
    @DisplayName("nobody knows the package that wires it")
    void wiring() {
        noClasses()
                .that(resideOutsideOfPackage(SERVER))
                .should()
                .dependOnClassesThat(resideInAPackage(SERVER))
                .check(CLASSES);
    }

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching(SERVER + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    @DisplayName("each package has a map, and is small enough to be found one's way in")
    void small() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
            for (Path folder : all.filter(Files::isDirectory).toList()) {
                try (Stream<Path> inside = Files.list(folder)) {
                    List<String> files = inside.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            .toList();
                    assertThat(files).as("%s", folder).hasSizeLessThanOrEqualTo(MOST_FILES);
                    assertThat(files.isEmpty() || files.contains("package-info.java"))
                            .as("%s has a package-info", folder)
                            .isTrue();
                }
            }
        }
    }

    private static void mayUse(String from, String... allowed) {
        String[] packages = Stream.of(allowed).map(name -> SERVER + "." + name).toArray(String[]::new);
        classes()
                .that(resideInAPackage(SERVER + "." + from))
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage(SERVER + "..").or(resideInAnyPackage(packages)))
                .check(CLASSES);
    }
}
