package dev.holdfast.test;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .importUrl(FakeLocks.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    @DisplayName("only core, Java and, for the extension, JUnit are known")
    void known() {
        classes()
                .that(alwaysTrue())
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.holdfast..")
                        .and(resideInAnyPackage(
                                "java..", "org.jspecify.annotations", "org.junit.jupiter.api.extension"))
                        .or(resideInAnyPackage(
                                "dev.holdfast",
                                "dev.holdfast.test..",
                                "dev.holdfast.engine..",
                                "dev.holdfast.memory",
                                "dev.holdfast.model",
                                "dev.holdfast.rules",
                                "dev.holdfast.spi..")))
                .check(OURS);
    }

    @Test
    @DisplayName("only the extension needs JUnit")
    void junit() {
        noClasses()
                .that()
                .doNotHaveSimpleName("FakeLocksExtension")
                .should()
                .dependOnClassesThat(resideInAPackage("org.junit.."))
                .check(OURS);
    }

    @Test
    @DisplayName("time by hand knows nothing of the fake")
    void machine() {
        noClasses()
                .that(resideInAPackage("dev.holdfast.test.machine"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast.test"))
                .check(OURS);
    }
}
