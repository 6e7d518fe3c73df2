package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.List;

/** Hands every line to several outputs, which it does not stop. */
final class Fork extends AppenderBase<ILoggingEvent> {
    private final List<Appender<ILoggingEvent>> outputs;

    private Fork(List<Appender<ILoggingEvent>> outputs) {
        this.outputs = List.copyOf(outputs);
    }

    static Fork to(List<Appender<ILoggingEvent>> outputs) {
        Fork fork = new Fork(outputs);
        fork.start();
        return fork;
    }

    @Override
    protected void append(ILoggingEvent event) {
        outputs.forEach(output -> output.doAppend(event));
    }
}
