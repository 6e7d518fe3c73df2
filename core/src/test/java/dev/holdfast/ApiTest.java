package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What docs/COMPATIBILITY.md promises, read from the classes. */
@DisplayName("the API")
class ApiTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast");

    /** Public for the other modules of Holdfast only. */
    private static final Set<String> OURS_ALONE =
            Set.of("dev.holdfast.LockService", "dev.holdfast.Connector", "dev.holdfast.Stores");

    /** Packages that users begin with. */
    private static final List<String> FOR_USERS = List.of("dev.holdfast", "dev.holdfast.concurrent");

    /** Packages with types that are promised to users or to stores. */
    private static final List<String> PROMISED = List.of(
            "dev.holdfast",
            "dev.holdfast.concurrent",
            "dev.holdfast.model",
            "dev.holdfast.failure",
            "dev.holdfast.spi",
            "dev.holdfast.spi.fence",
            "dev.holdfast.spi.time");

    private static Stream<JavaClass> api() {
        return CORE.stream()
                .filter(type -> FOR_USERS.contains(type.getPackageName()))
                .filter(ApiTest::isVisible)
                .filter(type -> !isOursAlone(type));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ApiTest::isVisible).orElse(true);
    }

    private static boolean isOursAlone(JavaClass type) {
        return OURS_ALONE.contains(type.getName())
                || type.getEnclosingClass().map(ApiTest::isOursAlone).orElse(false);
    }

    private static Stream<JavaMethod> methods() {
        return api().flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC));
    }

    private static boolean isPromised(JavaClass type) {
        return !type.getPackageName().startsWith("dev.holdfast")
                || (PROMISED.contains(type.getPackageName()) && !isOursAlone(type));
    }

    private static Set<String> internal(Stream<? extends JavaType> types) {
        Set<String> found = new TreeSet<>();
        types.flatMap(type -> type.getAllInvolvedRawTypes().stream())
                .filter(type -> !isPromised(type))
                .forEach(type -> found.add(type.getName()));
        return found;
    }

    @Test
    @DisplayName("names no internal type in its signatures")
    void signatures() {
        Set<String> broken = new TreeSet<>();
        methods().forEach(method -> {
            Stream<JavaType> named = Stream.concat(
                    Stream.of(method.getReturnType()),
                    Stream.concat(method.getParameterTypes().stream(), method.getExceptionTypes().stream()));
            internal(named).forEach(type -> broken.add(method.getFullName() + " names " + type));
        });
        api().forEach(type -> type.getConstructors().stream()
                .filter(made -> made.getModifiers().contains(JavaModifier.PUBLIC))
                .forEach(made -> internal(made.getParameterTypes().stream())
                        .forEach(other -> broken.add(made.getFullName() + " names " + other))));
        assertThat(broken).isEmpty();
    }

    @Test
    @DisplayName("asks for no Optional: what need not be said has a form without it")
    void noOptionals() {
        assertThat(methods()
                        .filter(method -> !isAccessorOfRecord(method))
                        .filter(method -> method.getRawParameterTypes().stream()
                                .anyMatch(type -> type.isEquivalentTo(Optional.class))))
                .isEmpty();
    }

    private static boolean isAccessorOfRecord(JavaMethod method) {
        return method.getOwner().isRecord() && method.getRawParameterTypes().isEmpty();
    }

    @Test
    @DisplayName("says of everything that does something what threads may do with it")
    void threads() throws IOException {
        Set<String> silent = new TreeSet<>();
        for (JavaClass type : api().filter(ApiTest::doesSomething).toList()) {
            Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
            String text = Files.readString(source);
            String doc = text.substring(text.indexOf("/**"), text.indexOf("\npublic "));
            if (!doc.contains("thread")) {
                silent.add(type.getSimpleName());
            }
        }
        assertThat(silent).isEmpty();
    }

    /** Records, enums and exceptions are values. */
    private static boolean doesSomething(JavaClass type) {
        return type.getEnclosingClass().isEmpty()
                && !type.isRecord()
                && !type.isEnum()
                && !type.isAssignableTo(Throwable.class);
    }

    @Test
    @DisplayName("is small enough to be known")
    void small() {
        for (String one : FOR_USERS) {
            assertThat(api().filter(type -> type.getPackageName().equals(one))
                            .filter(type -> type.getEnclosingClass().isEmpty()))
                    .hasSizeBetween(10, 25);
        }
    }
}
