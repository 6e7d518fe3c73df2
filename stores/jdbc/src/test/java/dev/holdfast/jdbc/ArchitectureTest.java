package dev.holdfast.jdbc;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which package may know which. Arrows point from what users see to connections. */
class ArchitectureTest {
    private static final String ROOT = "dev.holdfast.jdbc";
    private static final JavaClasses JDBC = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    @DisplayName("connections know no table")
    void connection() {
        mayUse("connection");
    }

    @Test
    @DisplayName("tables know connections")
    void table() {
        mayUse("table", "connection");
    }

    @Test
    @DisplayName("the fence knows only the form of a lock's row")
    void fence() {
        mayUse("fence", "table");
    }

    @Test
    @DisplayName("documents know no locks")
    void documents() {
        mayUse("documents", "connection", "table");
    }

    @Test
    @DisplayName("the store knows no particular database")
    void store() {
        mayUse("store", "connection", "table", "documents");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "sqlite"})
    @DisplayName("a database knows what is shared, and no other database")
    void databases(String database) {
        mayUse(database, "connection", "table", "documents", "store");
    }

    @Test
    @DisplayName("nobody depends on the package for users")
    void topPackage() {
        noClasses()
                .that(resideOutsideOfPackage(ROOT))
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT))
                .check(JDBC);
    }

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(JDBC);
    }

    private static void mayUse(String from, String... others) {
        String[] allowed = Stream.concat(Stream.of(from), Stream.of(others))
                .map(name -> ROOT + "." + name)
                .toArray(String[]::new);
        classes()
                .that(resideInAnyPackage(ROOT + "." + from))
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage(ROOT + "..").or(resideInAnyPackage(allowed)))
                .check(JDBC);
    }
}
