package dev.holdfast.micrometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages("dev.holdfast.micrometer");

    @Test
    @DisplayName("metrics know what a client tells them, and no store, engine or server")
    void arrows() {
        classes()
                .that()
                .resideInAPackage("dev.holdfast.micrometer")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.micrometer",
                        "dev.holdfast",
                        "dev.holdfast.model",
                        "dev.holdfast.failure",
                        "dev.holdfast.spi",
                        "io.micrometer.core.instrument",
                        "org.jspecify.annotations",
                        "java..")
                .check(CLASSES);
    }
}
