package dev.holdfast.shedlock;

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
            .importPackages("dev.holdfast.shedlock");

    @Test
    @DisplayName(
            "the adapter knows ShedLock and what users of the library know, and no store, engine, server or Spring")
    void arrows() {
        classes()
                .that()
                .resideInAPackage("dev.holdfast.shedlock")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.shedlock",
                        "dev.holdfast",
                        "dev.holdfast.model",
                        "dev.holdfast.failure",
                        "net.javacrumbs.shedlock.core",
                        "net.javacrumbs.shedlock.support",
                        "org.jspecify.annotations",
                        "org.slf4j",
                        "java..")
                .check(CLASSES);
    }
}
