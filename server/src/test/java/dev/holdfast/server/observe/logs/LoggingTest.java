package dev.holdfast.server.observe.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import dev.holdfast.server.observe.Events;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.audit.AuditJson;
import dev.holdfast.server.observe.audit.AuditLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

class LoggingTest {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.test.Door");
    private static final String FORGED = "hello\n00:00:00.000 ERROR Door forged\r\u001b[31m\u009b\u2028\u202e";

    @TempDir
    Path directory;

    private final PrintStream realErrors = System.err;
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(realErrors);
        new StartLogging().configure((LoggerContext) LoggerFactory.getILoggerFactory());
    }

    @Test
    @DisplayName("for people: time, level, short logger, message, pairs")
    void console() throws IOException {
        try (var output = configure(LoggingConfig.Format.CONSOLE)) {
            LOG.atInfo()
                    .addKeyValue("request_id", "r-1")
                    .addKeyValue("who", "a \"b\"")
                    .log("Opened {}", "x");
            LOG.error("Closed");
            LOG.debug("Not shown");
        }

        assertThat(lines())
                .hasSize(2)
                .satisfies(
                        line -> assertThat(line)
                                .matches(
                                        "\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  Door Opened x request_id=r-1 who=\"a \\\\\"b\\\\\"\""),
                        org.assertj.core.api.Assertions.atIndex(0))
                .satisfies(
                        line -> assertThat(line).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} ERROR Door Closed"),
                        org.assertj.core.api.Assertions.atIndex(1));
    }

    @Test
    @DisplayName("for people: what others send cannot make a line of its own or steer the terminal")
    void consoleForging() throws IOException {
        try (var output = configure(LoggingConfig.Format.CONSOLE)) {
            LOG.atInfo().addKeyValue("k\n", "v\n00:00 x").log(FORGED);
            LOG.warn("failed", new IllegalStateException("bad\n00:00:00.000 ERROR Door forged"));
        }

        assertThat(lines().get(0))
                .endsWith(
                        "hello\\n00:00:00.000 ERROR Door forged\\r\\u001b[31m\\u009b\\u2028\\u202e k\\n=\"v\\n00:00 x\"");
        assertThat(lines().stream().filter(line -> line.startsWith("00:00:00"))).isEmpty();
        assertThat(lines().subList(2, lines().size())).allMatch(line -> line.startsWith("    "));
        assertThat(lines().get(2))
                .isEqualTo("    java.lang.IllegalStateException: bad\\n00:00:00.000 ERROR Door forged");
    }

    @Test
    @DisplayName("of a short command: level, message and pairs, as before anything is configured")
    void shortCommand() {
        log(LOG);
        String configured = errors.toString(StandardCharsets.UTF_8);
        errors.reset();
        log(new ShortLogging().getLoggerFactory().getLogger(LOG.getName()));
        // The same lines, but for where in this test it was called.
        assertThat(lines().stream()
                        .filter(line -> !line.contains("shortCommand"))
                        .toList())
                .isEqualTo(configured
                        .lines()
                        .filter(line -> !line.contains("shortCommand"))
                        .toList());
        assertThat(lines().get(0)).isEqualTo("INFO Opened é for 3 who=\"a \\\"b\\\"\"");
        assertThat(lines().get(1)).startsWith("WARN hello\\n00:00:00.000 ERROR Door forged\\r");
        assertThat(lines().get(2)).isEqualTo("ERROR failed");
        assertThat(lines().get(3)).isEqualTo("    java.lang.IllegalStateException: bad\\nthing");
        assertThat(lines().subList(4, lines().size())).allMatch(line -> line.startsWith("        "));
        errors.reset();
        Logger library = new ShortLogging().getLoggerFactory().getLogger("io.netty.Thing");
        library.info("not shown");
        library.atInfo().log("not shown");
        library.warn("shown");
        assertThat(lines()).containsExactly("WARN shown");
    }

    private static void log(Logger logger) {
        logger.atInfo().addKeyValue("who", "a \"b\"").log("Opened {} for {}", "é", 3);
        logger.debug("not shown");
        logger.warn(FORGED);
        logger.error("failed", new IllegalStateException("bad\nthing"));
    }

    @Test
    @DisplayName("for machines: one object per line, with pairs and exception, no key twice")
    void json() throws IOException {
        try (var output = configure(LoggingConfig.Format.JSON)) {
            MDC.put("request_id", "r-2");
            LOG.atInfo()
                    .addKeyValue("level", "mine")
                    .addKeyValue("count", 3)
                    .addKeyValue("ok", true)
                    .log(FORGED);
            LOG.error("failed", new IllegalStateException("bad\nthing", new IOException("why")));
        } finally {
            MDC.clear();
        }

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0))
                .matches(
                        "\\{\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\",\"level\":\"INFO\",.*")
                .contains(
                        "\"logger\":\"dev.holdfast.test.Door\"",
                        "\"message\":\"hello\\n00:00:00.000 ERROR Door forged\\r\\u001B[31m\\u009b\\u2028\\u202e\"",
                        "\"thread\":\"" + Thread.currentThread().getName() + "\"",
                        ",\"level_\":\"mine\",\"count\":3,\"ok\":true,\"request_id\":\"r-2\"}");
        assertThat(lines().get(1))
                .contains("\"exception\":\"java.lang.IllegalStateException: bad\\\\nthing\\n        at ")
                .contains("caused by java.io.IOException: why");
    }

    @Test
    @DisplayName("libraries are heard from WARN on, also those that use the JDK's logging")
    void libraries() throws IOException {
        try (var output = configure(LoggingConfig.Format.CONSOLE)) {
            LoggerFactory.getLogger("io.netty.Thing").info("not shown");
            LoggerFactory.getLogger("io.netty.Thing").warn("shown");
            java.util.logging.Logger.getLogger("org.example.Exporter")
                    .log(java.util.logging.Level.WARNING, "Failed to export {0}", "spans");
        }

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).endsWith("WARN  Thing shown");
        assertThat(lines().get(1)).endsWith("WARN  Exporter Failed to export spans");
    }

    @Test
    @DisplayName("the file gets the same lines, without colours")
    void file() throws IOException {
        Path path = directory.resolve("server.log");
        try (var output = configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.DEBUG, Optional.of(path)))) {
            for (int i = 0; i < 3_000; i++) {
                LOG.debug("line {}", i);
            }
        }

        assertThat(Files.readAllLines(path)).isEqualTo(lines());
        assertThat(lines()).filteredOn(line -> line.contains(" line ")).hasSize(3_000);
    }

    @Test
    @DisplayName("a file that cannot be opened is refused")
    void refused() {
        assertThatThrownBy(() -> Logging.configure(
                        new LoggingConfig(LoggingConfig.Format.JSON, Level.INFO, Optional.of(directory))))
                .isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("audit lines are the JSON object itself, in both formats")
    void audit() throws IOException {
        for (LoggingConfig.Format format : LoggingConfig.Format.values()) {
            errors.reset();
            try (var output = configure(format);
                    AuditLog audit = AuditLog.open(new AuditConfig(Optional.empty(), 1, 1, true, 10, false))) {
                audit.accept(Events.some(7), Optional.empty());
            }
            assertThat(lines()).containsExactly(AuditJson.line(Events.some(7), Optional.empty()));
        }
    }

    @Test
    @DisplayName("after the end lines still come, at once")
    void afterTheEnd() throws IOException {
        configure(LoggingConfig.Format.CONSOLE).close();
        LOG.info("late");

        assertThat(lines()).hasSize(1);
    }

    @Test
    @DisplayName("no colours where nobody looks, or where they are not wanted")
    void colours() {
        assertThat(Logging.isColoured(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
        assertThat(Logging.isColoured(Map.of("TERM", "dumb"))).isFalse();
    }

    private static Logging.Output configure(LoggingConfig.Format format) throws IOException {
        return configure(new LoggingConfig(format, Level.INFO, Optional.empty()));
    }

    private static Logging.Output configure(LoggingConfig config) throws IOException {
        Logging.Output output = Logging.configure(config);
        // What other tests of this JVM left running may still complain: only what is logged here is looked at.
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.getLogger(LOG.getName())
                .setLevel(context.getLogger("dev.holdfast").getLevel());
        for (String other : List.of("dev.holdfast", "io.opentelemetry")) {
            context.getLogger(other).setLevel(ch.qos.logback.classic.Level.OFF);
        }
        return output;
    }

    private List<String> lines() {
        return errors.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
