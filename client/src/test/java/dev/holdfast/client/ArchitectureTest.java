package dev.holdfast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(ServerConfig.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    @DisplayName("the client knows the server by what goes over the wire")
    void arrows() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.server..", "dev.holdfast.jdbc..", "io.vertx..")
                .check(CLASSES);
    }
}
