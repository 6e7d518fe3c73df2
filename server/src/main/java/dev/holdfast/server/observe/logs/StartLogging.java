package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * How lines look before anything is configured, and in commands that end soon: level and message, on the error output, at once.
 * Found by logback as a service, which keeps it from searching for configuration files.
 */
public final class StartLogging extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Logging.apply(context, Level.INFO, Logging.console(context, ConsoleLines.plain()));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
