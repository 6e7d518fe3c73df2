package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAware;
import ch.qos.logback.core.spi.LifeCycle;
import dev.holdfast.server.observe.audit.AuditLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Where the server's log lines go and what they look like. Set up in code: no file is searched for, and nothing is parsed at the
 * start. Before {@link #configure} lines look as {@link StartLogging} says.
 *
 * <p>Lines are written by a thread of their own, so that a terminal or pipe that nobody reads cannot hold up the server; when
 * {@value #QUEUE} wait, further ones are dropped.
 */
public final class Logging {
    private static final int QUEUE = 8_000;
    private static final int FLUSH_WITHIN_MS = 1_000;
    private static final String RECENT = "holdfast.recent";

    private Logging() {}

    /** Writes what waits when it is closed; later lines are then written at once. Close it last. */
    public interface Output extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Logs like this from now on.
     *
     * @throws IOException if the file cannot be opened
     */
    public static Output configure(LoggingConfig config) throws IOException {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        List<Appender<ILoggingEvent>> outputs = new ArrayList<>();
        if (config.file().isPresent()) {
            outputs.add(file(context, config));
        }
        outputs.add(console(context, layout(config, isColoured(System.getenv()))));
        RecentLines recent = started(context, new RecentLines());
        outputs.add(recent);

        AsyncAppender queue = new AsyncAppender();
        queue.setContext(context);
        queue.setQueueSize(QUEUE);
        queue.setDiscardingThreshold(0); // or INFO lines would be dropped before the queue is full
        queue.setNeverBlock(true);
        queue.setMaxFlushTime(FLUSH_WITHIN_MS);
        queue.addAppender(new Fork(outputs)); // it takes only one
        queue.start();
        apply(context, Level.convertAnSLF4JLevel(config.level()), queue);
        context.putObject(RECENT, recent); // kept with logback's own settings, and lost with them
        JulLines.install();
        return () -> end(context, queue, outputs);
    }

    /** The newest lines of the log, oldest first, without secrets; empty if they are not kept, since nothing was configured. */
    public static Optional<List<String>> recentLines() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getObject(RECENT) instanceof RecentLines recent
                ? Optional.of(recent.masked())
                : Optional.empty();
    }

    /** From now on, until it is configured again, the loggers below this name are heard only with what is wrong. */
    public static void onlyWarnings(String loggers) {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(loggers).setLevel(Level.WARN);
    }

    private static void end(LoggerContext context, AsyncAppender queue, List<Appender<ILoggingEvent>> outputs) {
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        if (root.detachAppender(queue)) {
            root.addAppender(new Fork(outputs));
        }
        queue.stop();
    }

    /** Our own loggers from this level on, libraries from WARN on, audit lines always. */
    static void apply(LoggerContext context, Level level, Appender<ILoggingEvent> to) {
        context.reset();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(to);
        context.getLogger("dev.holdfast").setLevel(level);
        context.getLogger(AuditLog.LOGGER).setLevel(Level.INFO);
    }

    static Appender<ILoggingEvent> console(LoggerContext context, Layout<ILoggingEvent> layout) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setTarget("System.err");
        console.setEncoder(encoder(context, layout));
        return started(context, console);
    }

    private static FileLines file(LoggerContext context, LoggingConfig config) throws IOException {
        FileLines file = new FileLines(config.file().orElseThrow(), encoder(context, layout(config, false)));
        file.open();
        return started(context, file);
    }

    private static Layout<ILoggingEvent> layout(LoggingConfig config, boolean colours) {
        return config.format() == LoggingConfig.Format.JSON ? new JsonLines() : ConsoleLines.full(colours);
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, Layout<ILoggingEvent> layout) {
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setLayout(layout);
        encoder.setCharset(StandardCharsets.UTF_8);
        return started(context, encoder);
    }

    private static <T extends ContextAware & LifeCycle> T started(LoggerContext context, T part) {
        part.setContext(context);
        part.start();
        return part;
    }

    /** Whether somebody looks at the error output, and has not asked for no colours. */
    static boolean isColoured(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.getOrDefault("TERM", "dumb"))
                && isTerminal();
    }

    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | RuntimeException e) {
            return false; // not Linux: the JDK cannot tell for the error output alone
        }
    }

    /** Hands every line to several outputs, which it does not stop. */
    private static final class Fork extends AppenderBase<ILoggingEvent> {
        private final List<Appender<ILoggingEvent>> outputs;

        Fork(List<Appender<ILoggingEvent>> outputs) {
            this.outputs = List.copyOf(outputs);
            start();
        }

        @Override
        protected void append(ILoggingEvent event) {
            outputs.forEach(output -> output.doAppend(event));
        }
    }
}
