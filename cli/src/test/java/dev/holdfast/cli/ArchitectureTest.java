package dev.holdfast.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which package may know which, as the map in the package's description shows it. */
class ArchitectureTest {
    private static final String CLI = "dev.holdfast.cli";

    /** A package with more files is no longer read as one. */
    private static final int MOST_FILES = 25;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    @DisplayName("only cli.serve knows the server")
    void server() {
        noClasses()
                .that(resideOutsideOfPackage(CLI + ".serve"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast.server.."))
                .check(CLASSES);
    }

    @Test
    @DisplayName("commands know nothing of the whole program, texts nothing of commands")
    void arrows() {
        mayUse("text");
        mayUse("help", "text");
        mayUse("connect", "text");
        mayUse("context", "connect", "text");
        mayUse("exec", "connect", "text");
        mayUse("watch", "connect", "text");
        mayUse("locks", "watch", "exec", "connect", "text");
        mayUse("state.access", "connect", "text");
        mayUse("state", "state.access", "locks", "exec", "connect", "text");
        mayUse("serve", "exec", "connect", "text");
        mayUse("guard", "serve", "connect", "text");
        mayUse("admin", "connect", "text");
        mayUse("backup", "admin", "connect", "text");
    }

    @Test
    @DisplayName("no package depends on itself through another")
    void noCycles() {
        slices().matching(CLI + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    @DisplayName("what is handed out knows neither test libraries nor measurements")
    void nothingOfTests() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast.testkit..")
                        .or(resideInAPackage("dev.holdfast.bench.."))
                        .or(resideInAPackage("org.junit..")))
                .check(CLASSES);
    }

    @Test
    @DisplayName("no package has more than 25 files")
    void small() {
        Map<String, Long> files = CLASSES.stream()
                .filter(type -> outermost(type).equals(type))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(files)
                .hasSizeGreaterThan(8)
                .allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    private static void mayUse(String from, String... allowed) {
        DescribedPredicate<JavaClass> known = resideOutsideOfPackage(CLI + "..").or(resideInAPackage(CLI + "." + from));
        for (String one : allowed) {
            known = known.or(resideInAPackage(CLI + "." + one));
        }
        classes()
                .that(resideInAPackage(CLI + "." + from))
                .should()
                .onlyDependOnClassesThat(known)
                .check(CLASSES);
    }
}
