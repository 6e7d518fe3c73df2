package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import dev.holdfast.server.observe.audit.RollingFile;
import java.io.IOException;
import java.nio.file.Path;

/** Appends log lines to a file that rolls. A line that cannot be written is dropped: the error output has it too. */
final class FileLines extends AppenderBase<ILoggingEvent> {
    private static final RollingFile.RollingLimits LIMITS = new RollingFile.RollingLimits(50L << 20, 5);

    private final RollingFile file;
    private final Encoder<ILoggingEvent> encoder;

    FileLines(Path path, Encoder<ILoggingEvent> encoder) {
        this.file = new RollingFile(path, LIMITS);
        this.encoder = encoder;
    }

    /** Fails now rather than at the first line. */
    void open() throws IOException {
        file.open();
    }

    @Override
    protected void append(ILoggingEvent event) { // one at a time: AppenderBase holds its lock
        try {
            file.append(encoder.encode(event));
        } catch (IOException e) {
            addError("The log file cannot be written", e);
        }
    }

    @Override
    public void stop() {
        super.stop();
        try {
            file.close();
        } catch (IOException e) {
            addError("The log file could not be closed", e);
        }
    }
}
