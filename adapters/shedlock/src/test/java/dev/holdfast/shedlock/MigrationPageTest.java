package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the Java of the page, so that it cannot drift away from the code. */
class MigrationPageTest {
    private static final Path PAGE = Path.of("../../docs/migrate/from-shedlock.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java$(.*?)^```$");
    private static final String IMPORTS = Stream.of(
                    "dev.holdfast",
                    "dev.holdfast.jdbc",
                    "dev.holdfast.shedlock",
                    "java.util.concurrent",
                    "javax.sql",
                    "net.javacrumbs.shedlock.core",
                    "net.javacrumbs.shedlock.provider.jdbctemplate",
                    "net.javacrumbs.shedlock.support",
                    "org.springframework.context.annotation")
            .map(name -> "import " + name + ".*;")
            .reduce("", String::concat);

    @TempDir
    Path classes;

    @Test
    @DisplayName("the Java of the page about ShedLock compiles")
    void compiles() throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(3);
        for (String block : blocks) {
            assertThat(problems(block)).as(block).isEmpty();
        }
    }

    @Test
    @DisplayName("and what does not compile is noticed")
    void noticed() {
        assertThat(problems("LockProvider provider = new HoldfastLockProvider();"))
                .contains("HoldfastLockProvider");
    }

    /** What the compiler says about these members of a class. */
    private String problems(String members) {
        StringWriter told = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Page.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreErrors) {
                        return IMPORTS + "abstract class Page {" + members + "}";
                    }
                };
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(told, null, null, options, null, List.of(source))
                .call();
        return compiled ? "" : told.toString();
    }
}
