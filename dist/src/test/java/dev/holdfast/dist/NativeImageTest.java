package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A native image has only what its builder knows of. GraalVM is not run here: what is found by name at run time is compared with what the
 * jars tell the builder.
 */
class NativeImageTest {
    private static final String RESOURCES = "src/main/resources";
    private static final String SERVICES = "META-INF/services/";
    private static final Pattern PATTERN = Pattern.compile("\"pattern\": \"\\\\\\\\Q([^\"]+)\\\\\\\\E\"");
    private static final Pattern MADE = Pattern.compile(
            "\"name\": \"([^\"]+)\", \"methods\": \\[\\{\"name\": \"<init>\", \"parameterTypes\": \\[]}]");
    /** Ways to reach something that the builder cannot see from the code. */
    private static final Pattern BY_NAME =
            Pattern.compile("\\.getResource\\w*\\(|Class\\.forName\\(|ServiceLoader\\.load\\("
                    + "|\\.newProxyInstance\\(|\\.getDeclared\\w+\\(|\\.getMethods?\\(|\\.getConstructors?\\(|\\.loadClass\\("
                    + "|MethodHandles\\.|ResourceBundle\\.|ObjectInputStream");

    @Test
    @DisplayName("every resource of a library is named to the builder, and nothing else is")
    void resources() throws IOException {
        int resources = 0;
        for (Library library : Library.all()) {
            List<String> there = new ArrayList<>(library.files(RESOURCES));
            there.removeIf(file -> file.startsWith("META-INF/native-image/"));
            assertThat(named(PATTERN, library, "resource-config.json"))
                    .as("resource-config.json of %s", library)
                    .containsExactlyInAnyOrderElementsOf(there);
            resources += there.size();
        }
        assertThat(resources).isGreaterThan(15);
    }

    @Test
    @DisplayName("every service that a library provides can be made there, and each one exists")
    void services() throws IOException {
        int services = 0;
        for (Library library : Library.all()) {
            Set<String> provided = new TreeSet<>();
            for (String file : library.files(RESOURCES + "/" + SERVICES)) {
                library.read(RESOURCES + "/" + SERVICES + file)
                        .lines()
                        .map(line -> line.replaceAll("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .forEach(provided::add);
            }
            assertThat(named(MADE, library, "reflect-config.json"))
                    .as("reflect-config.json of %s", library)
                    .containsExactlyInAnyOrderElementsOf(provided);
            assertThat(library.files("src/main/java"))
                    .containsAll(provided.stream()
                            .map(name -> name.replace('.', '/') + ".java")
                            .toList());
            services += provided.size();
        }
        assertThat(services).isGreaterThan(10);
    }

    private static List<String> named(Pattern pattern, Library library, String file) {
        String text =
                library.read(RESOURCES + "/META-INF/native-image/dev.holdfast/" + library.artifact() + "/" + file);
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    @DisplayName(
            "nothing else is found by name at run time: who adds such a place looks at what the builder must be told")
    void places() throws IOException {
        List<String> places = new ArrayList<>();
        for (Library library : Library.all()) {
            for (String file : library.files("src/main/java")) {
                Stream<String> code = library.read("src/main/java/" + file)
                        .lines()
                        .filter(line ->
                                !line.strip().startsWith("*") && !line.strip().startsWith("/*"));
                if (!library.artifact().equals("holdfast-testkit")
                        && code.anyMatch(line -> BY_NAME.matcher(line).find())) {
                    places.add(file);
                }
            }
        }
        assertThat(places)
                .containsExactlyInAnyOrder(
                        "dev/holdfast/internal/loading/Services.java",
                        "dev/holdfast/jdbc/table/SqlScript.java",
                        "dev/holdfast/dynamodb/DynamoSchema.java",
                        // Methods of beans and of locks, which Spring gives: whether a native image works is not
                        // promised.
                        "dev/holdfast/spring/WithLockInterceptor.java",
                        "dev/holdfast/spring/integration/DistributedLocks.java");
    }
}
