package dev.holdfast.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.spring");

    @Test
    @DisplayName(
            "nobody knows what is internal; only the actuator's package knows the actuator and metrics, only fakes know fakes")
    void arrows() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.internal..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.spring.actuator")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.spring.actuator",
                        "dev.holdfast.micrometer",
                        "io.micrometer..",
                        "org.springframework.boot.actuate..",
                        "org.springframework.boot.health..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.spring.fake")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.spring.fake", "dev.holdfast.test..")
                .check(CLASSES);
    }
}
