package dev.holdfast.state;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.state");

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    @DisplayName("state knows locks and documents through core alone: no store, no server, no client")
    void arrows() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.server..",
                        "dev.holdfast.client..",
                        "dev.holdfast.guard..",
                        "dev.holdfast.jdbc..",
                        "io.vertx..")
                .check(CLASSES);
    }
}
