package dev.holdfast.server.observe.audit;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that whole lines are appended to. When it has grown to its limit it is renamed to {@code name.1}, the older ones move up
 * by one, and the oldest goes. Rotation by others works too: a renamed or deleted file is noticed before the next write and a new
 * one is opened; a truncated one is simply written on.
 *
 * <p>For one thread at a time. What was appended has reached the operating system, not necessarily the disk.
 */
public final class RollingFile implements AutoCloseable {
    private final Path path;
    private final RollingLimits limits;
    private @Nullable OutputStream stream;
    private @Nullable Object identity;

    /** How large the file may become. */
    public record RollingLimits(long bytes, int files) {
        public RollingLimits {
            if (bytes < 1 || files < 1) {
                throw new IllegalArgumentException(
                        "A log file needs at least 1 byte and 1 old file to keep, were " + bytes + " and " + files);
            }
        }
    }

    public RollingFile(Path path, RollingLimits limits) {
        this.path = path.toAbsolutePath();
        this.limits = limits;
    }

    /** Opens the file now, to see that it can be; otherwise the first write does. */
    public void open() throws IOException {
        Path directory = path.getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        if (!Files.exists(path)) {
            create();
        }
        // Not a channel: an interrupt, which is how logback ends its thread, would close that.
        OutputStream opened = new FileOutputStream(path.toFile(), true);
        stream = opened;
        identity = attributes().fileKey();
        endHalfLine(opened);
    }

    /** Appends these bytes, which are whole lines. If it fails, none or a part of them may have been written. */
    public void append(byte[] lines) throws IOException {
        OutputStream open = current();
        long size = attributes().size();
        if (size > 0 && size + lines.length > limits.bytes) {
            roll();
            open = current();
        }
        try {
            open.write(lines);
        } catch (IOException e) {
            close(); // opened anew next time, which also ends the half line
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        OutputStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }

    private OutputStream current() throws IOException {
        if (stream != null
                && (!Files.exists(path)
                        || !Objects.equals(identity, attributes().fileKey()))) {
            close(); // somebody moved it away
        }
        if (stream == null) {
            open();
        }
        return Objects.requireNonNull(stream);
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class);
    }

    private void roll() throws IOException {
        close();
        for (int i = limits.files - 1; i >= 1; i--) {
            if (Files.exists(old(i))) {
                Files.move(old(i), old(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(path, old(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path old(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    /** A process that died in the middle of a line left half of it; the next line must not become its end. */
    private void endHalfLine(OutputStream opened) throws IOException {
        try (RandomAccessFile reading = new RandomAccessFile(path.toFile(), "r")) {
            if (reading.length() == 0) {
                return;
            }
            reading.seek(reading.length() - 1);
            if (reading.read() != '\n') {
                opened.write('\n');
            }
        }
    }

    /** Others on the machine need not read who holds what. */
    private void create() throws IOException {
        try {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        } catch (UnsupportedOperationException e) { // no POSIX permissions here
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            return; // the rotation made it meanwhile
        }
    }
}
