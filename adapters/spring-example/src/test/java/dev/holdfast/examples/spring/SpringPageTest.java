package dev.holdfast.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
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
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the Java of docs/SPRING.md, which are whole classes; the usual imports are there. */
class SpringPageTest {
    private static final Path PAGE = Path.of("../../docs/SPRING.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final String IMPORTS = Stream.of(
                    "dev.holdfast",
                    "dev.holdfast.model",
                    "dev.holdfast.spring",
                    "dev.holdfast.spring.fake",
                    "dev.holdfast.spring.integration",
                    "dev.holdfast.test",
                    "java.time",
                    "java.util",
                    "java.util.concurrent",
                    "org.junit.jupiter.api",
                    "org.springframework.beans.factory.annotation",
                    "org.springframework.boot.test.context",
                    "org.springframework.context.annotation",
                    "org.springframework.http",
                    "org.springframework.integration.leader",
                    "org.springframework.integration.support.leader",
                    "org.springframework.scheduling.annotation",
                    "org.springframework.stereotype",
                    "org.springframework.web.bind.annotation")
            .map(one -> "import " + one + ".*; ")
            .collect(Collectors.joining("", "", "import static org.junit.jupiter.api.Assertions.*;\n"));

    @TempDir
    Path classes;

    @Test
    @DisplayName("every block of Java in docs/SPRING.md compiles")
    void compiles() throws IOException {
        List<JavaFileObject> blocks = new ArrayList<>();
        for (String code : BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList()) {
            String place = "snippets.spring" + blocks.size();
            blocks.add(new Source(place, "package " + place + "; " + IMPORTS + code));
        }
        assertThat(blocks).hasSizeGreaterThan(5);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options = List.of("-d", classes.toString(), "-classpath", path, "-proc:none");
        compiler.getTask(new StringWriter(), null, told, options, null, blocks).call();
        assertThat(told.getDiagnostics().stream()
                        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                        .map(one -> one.getMessage(Locale.ROOT)))
                .isEmpty();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String place, String text) {
            super(URI.create("string:///" + place.replace('.', '/') + "/Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }
    }
}
