package dev.holdfast.guard;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import java.time.Clock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which package may know which, as the map in {@code package-info} shows it. */
class ArchitectureTest {
    private static final String GUARD = "dev.holdfast.guard";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(GUARD);

    @ParameterizedTest(name = "{0} knows only {1}")
    @CsvSource(
            nullValues = "nothing",
            value = {
                "wire, nothing",
                "probe, nothing",
                "actuator, probe",
                "actuator.builtin, actuator probe",
                "resource, nothing",
                "rules, resource actuator probe",
                "registry, resource actuator probe wire",
            })
    void arrows(String from, String others) {
        String[] allowed = ((others == null ? "" : others) + " " + from).strip().split(" ", -1);
        String[] packages = new String[allowed.length + 1];
        packages[0] = GUARD;
        for (int i = 0; i < allowed.length; i++) {
            packages[i + 1] = GUARD + "." + allowed[i];
        }
        classes()
                .that()
                .resideInAPackage(GUARD + "." + from)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(packages).or(resideOutsideOfPackage(GUARD + "..")))
                .check(CLASSES);
    }

    @Test
    @DisplayName("the values know nothing that works with them")
    void values() {
        noClasses()
                .that()
                .resideInAPackage(GUARD)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(GUARD + ".*..")
                .check(CLASSES);
    }

    @Test
    @DisplayName(
            "the rules neither read nor call anything: no documents but what was read, no locks, no clocks, no threads")
    void pure() {
        noClasses()
                .that()
                .resideInAnyPackage(GUARD + ".rules", GUARD + ".resource")
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.concurrent..", "java.io..", "java.net.http..")
                        .or(assignableTo(Clock.class))
                        .or(assignableTo(DocumentStore.class))
                        .or(assignableTo(LockClient.class)))
                .check(CLASSES);
    }

    @Test
    @DisplayName("no package is part of a circle")
    void noCircles() {
        slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
