package dev.holdfast.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles every block of Java in these pages, so that they cannot drift away from the library. A block is statements, or members of a class, or
 * whole classes; the usual imports are there, and the names of {@link Surroundings}.
 */
class CodeInDocumentsTest {
    private static final Path ROOT = Path.of("..");

    private static final List<String> PAGES = List.of(
            "README.md",
            "docs/LIBRARY.md",
            "docs/TRANSACTIONS.md",
            "docs/FENCING.md",
            "docs/NOTIFICATIONS.md",
            "docs/tasks/leader-election.md",
            "docs/tasks/rate-limited-api.md",
            "docs/tasks/schedulers.md",
            "docs/stores/memory.md",
            "docs/stores/sqlite.md",
            "docs/stores/postgresql.md",
            "docs/stores/mariadb.md");

    private static final String IMPORTS = "import dev.holdfast.spi.time.LocalTime;\n" // and not that of java.time
            + allOf(
                    "dev.holdfast",
                    "dev.holdfast.concurrent",
                    "dev.holdfast.examples.documents",
                    "dev.holdfast.failure",
                    "dev.holdfast.jdbc",
                    "dev.holdfast.memory",
                    "dev.holdfast.model",
                    "dev.holdfast.spi",
                    "java.sql",
                    "java.time",
                    "java.util",
                    "java.util.concurrent",
                    "javax.sql",
                    "org.springframework.transaction.annotation",
                    "org.springframework.transaction.support");

    private static final Pattern WHOLE_CLASS =
            Pattern.compile("(?m)^(?:(?:public|final|abstract|static) )*(?:class|record|interface|enum) \\w");
    private static final Pattern MEMBER = Pattern.compile("(?m)^(?:@\\w|public |private |protected |static |void )");

    @TempDir
    Path classes;

    @Test
    @DisplayName("every block of Java in the documents compiles")
    void compiles() throws IOException {
        List<Block> blocks = new ArrayList<>();
        for (String page : PAGES) {
            List<Block> found = blocks(page, Files.readAllLines(ROOT.resolve(page)));
            assertThat(found).as("Java in " + page).isNotEmpty();
            blocks.addAll(found);
        }
        assertThat(problems(blocks)).isEmpty();
    }

    @Test
    @DisplayName("a block that does not compile is told with its page and line")
    void told() throws IOException {
        List<String> page =
                List.of("Text.", "", "```java", "Lease lease = locks.acquire(\"a\");", "lease.gone();", "```");
        assertThat(problems(blocks("docs/PAGE.md", page)))
                .singleElement()
                .asString()
                .startsWith("docs/PAGE.md:5: ")
                .contains("gone()");
    }

    private static List<Block> blocks(String page, List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        int start = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (start < 0 && lines.get(i).equals("```java")) {
                start = i + 1;
            } else if (start >= 0 && lines.get(i).equals("```")) {
                blocks.add(new Block(page, start + 1, String.join("\n", lines.subList(start, i)), blocks.size()));
                start = -1;
            }
        }
        return blocks;
    }

    /** All in one run: starting the compiler is what takes time. */
    private List<String> problems(List<Block> blocks) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-d",
                classes.toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "-proc:none",
                "-Xmaxerrs",
                "1000");
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(told, Locale.ROOT, StandardCharsets.UTF_8)) {
            compiler.getTask(new StringWriter(), files, told, options, null, blocks)
                    .call();
        }
        return told.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(CodeInDocumentsTest::problem)
                .toList();
    }

    private static String problem(Diagnostic<? extends JavaFileObject> one) {
        String message = one.getMessage(Locale.ROOT);
        return one.getSource() instanceof Block block
                ? block.page + ":" + (block.line + one.getLineNumber() - block.linesBefore() - 1) + ": " + message
                : message;
    }

    /** A block as a source file of a package of its own. */
    private static final class Block extends SimpleJavaFileObject {
        private final String page;
        private final int line;
        private final String before;
        private final String code;
        private final String after;

        Block(String page, int line, String code, int number) {
            super(URI.create("string:///" + packageOf(page, number).replace('.', '/') + "/Snippet.java"), Kind.SOURCE);
            this.page = page;
            this.line = line;
            this.code = code;
            String start = "package " + packageOf(page, number) + ";\n" + IMPORTS;
            String type = start
                    + "abstract class Snippet extends Surroundings {\nSnippet() { super(null, null, null, null, null, null); }\n";
            if (WHOLE_CLASS.matcher(code).find()) {
                this.before = start;
                this.after = "\n";
            } else if (MEMBER.matcher(code).find()) {
                this.before = type;
                this.after = "\n}\n";
            } else {
                this.before = type + "void snippet() throws Exception {\n";
                this.after = "\n}\n}\n";
            }
        }

        private static String packageOf(String page, int number) {
            return "snippets." + page.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT) + number;
        }

        long linesBefore() {
            return before.lines().count();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return before + code + after;
        }
    }

    private static String allOf(String... packages) {
        return Stream.of(packages).map(one -> "import " + one + ".*;\n").collect(Collectors.joining());
    }
}
