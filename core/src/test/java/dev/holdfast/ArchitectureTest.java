package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which. Arrows point from what users see to the model. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast");

    @Test
    @DisplayName("the model depends on nothing of ours")
    void model() {
        mayUse("dev.holdfast.model", "dev.holdfast.model");
    }

    @Test
    @DisplayName("what all exceptions have in common depends on nothing of ours")
    void failure() {
        mayUse("dev.holdfast.failure", "dev.holdfast.failure");
    }

    @Test
    @DisplayName("small parts for all modules depend on nothing of ours")
    void parts() {
        mayUse("dev.holdfast.internal.parts", "dev.holdfast.internal.parts");
    }

    @Test
    @DisplayName("the rules depend only on the model")
    void rules() {
        mayUse("dev.holdfast.internal.rules", "dev.holdfast.internal.rules", "dev.holdfast.model");
    }

    @Test
    @DisplayName("the interface for stores depends only on the model: a store knows no rules")
    void spi() {
        mayUse("dev.holdfast.spi..", "dev.holdfast.spi..", "dev.holdfast.model", "dev.holdfast.failure");
    }

    @Test
    @DisplayName("the engine depends on rules, spi and model, and on no store")
    void engine() {
        mayUse(
                "dev.holdfast.internal.engine..",
                "dev.holdfast.internal.engine..",
                "dev.holdfast.internal.parts",
                "dev.holdfast.internal.rules",
                "dev.holdfast.spi..",
                "dev.holdfast.model",
                "dev.holdfast.failure");
    }

    @Test
    @DisplayName("the memory store depends on spi and model, like any store")
    void memory() {
        mayUse("dev.holdfast.memory", "dev.holdfast.memory", "dev.holdfast.spi..", "dev.holdfast.model");
    }

    @Test
    @DisplayName("documents know nothing of locks: only the failures and URLs of stores")
    void documents() {
        mayUse(
                "dev.holdfast.documents",
                "dev.holdfast.documents",
                "dev.holdfast.documents.keys",
                "dev.holdfast.internal.loading",
                "dev.holdfast.spi..");
        mayUse(
                "dev.holdfast.documents.keys",
                "dev.holdfast.documents.keys",
                "dev.holdfast.internal.loading",
                "dev.holdfast.spi..");
    }

    @Test
    @DisplayName("nobody depends on the package for users but what is built on it for them")
    void topPackage() {
        noClasses()
                .that(resideOutsideOfPackage("dev.holdfast").and(resideOutsideOfPackage("dev.holdfast.concurrent")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast"))
                .check(CORE);
    }

    @Test
    @DisplayName(
            "the forms that Java knows depend on what users see: nothing internal, so that they work with any client")
    void concurrent() {
        mayUse(
                "dev.holdfast.concurrent",
                "dev.holdfast.concurrent",
                "dev.holdfast",
                "dev.holdfast.model",
                "dev.holdfast.failure",
                "dev.holdfast.spi");
        noClasses()
                .that(resideInAPackage("dev.holdfast.concurrent"))
                .should()
                .dependOnClassesThat(belongToAnyOf(LockService.class, Connector.class, Stores.class))
                .check(CORE);
    }

    @Test
    @DisplayName("core depends on no framework: only Java, slf4j, jspecify and Jackson's streaming")
    void noFramework() {
        classes()
                .that(alwaysTrue())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.holdfast..",
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl..",
                        "org.slf4j",
                        "org.jspecify.annotations",
                        "com.fasterxml.jackson.core.."))
                .check(CORE);
    }

    @Test
    @DisplayName("only the codec knows Jackson")
    void jacksonOnlyInSpi() {
        noClasses()
                .that(resideOutsideOfPackage("dev.holdfast.spi"))
                .should()
                .dependOnClassesThat(resideInAPackage("com.fasterxml.."))
                .check(CORE);
    }

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching("dev.holdfast.(*)..").should().beFreeOfCycles().check(CORE);
    }

    private static void mayUse(String from, String... allowed) {
        classes()
                .that(resideInAPackage(from))
                .should()
                .onlyDependOnClassesThat(
                        resideOutsideOfPackage("dev.holdfast..").or(resideInAnyPackage(allowed)))
                .check(CORE);
    }
}
