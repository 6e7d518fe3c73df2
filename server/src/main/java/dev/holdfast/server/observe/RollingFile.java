package dev.holdfast.server.observe;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that whole lines are appended to. When it has grown to its limit it is renamed to {@code name.1}, the older ones move up
 * by one, and the oldest goes. Rotation by others works too: a renamed or deleted file is noticed before the next write and a new
 * one is opened; a truncated one is simply written on.
 *
 * <p>For one thread at a time. What was appended has reached the operating system, not necessarily the disk.
 */
final class RollingFile implements AutoCloseable {
    private final Path path;
    private final Limits limits;
    private @Nullable FileChannel channel;
    private @Nullable Object identity;

    /**
     * How large the file may become.
     *
     * @param bytes when it is rolled
     * @param files how many rolled ones are kept
     */
    record Limits(long bytes, int files) {
        Limits {
            if (bytes < 1 || files < 1) {
                throw new IllegalArgumentException("A log file needs at least 1 byte and 1 old file to keep, were "
                        + bytes + " and " + files);
            }
        }
    }

    RollingFile(Path path, Limits limits) {
        this.path = path.toAbsolutePath();
        this.limits = limits;
    }

    /** Opens the file now, to see that it can be; otherwise the first write does. */
    void open() throws IOException {
        FileChannel opened;
        Path directory = path.getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        try {
            opened = FileChannel.open(path, Set.of(CREATE, APPEND), privately());
        } catch (UnsupportedOperationException e) { // no POSIX permissions here
            opened = FileChannel.open(path, CREATE, APPEND);
        }
        channel = opened;
        identity = identity();
        endHalfLine(opened);
    }

    /** Appends these bytes, which are whole lines. If it fails, none or a part of them may have been written. */
    void append(ByteBuffer lines) throws IOException {
        FileChannel open = current();
        if (open.size() > 0 && open.size() + lines.remaining() > limits.bytes) {
            roll();
            open = current();
        }
        try {
            while (lines.hasRemaining()) {
                open.write(lines);
            }
        } catch (IOException e) {
            close(); // opened anew next time, which also ends the half line
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    private FileChannel current() throws IOException {
        if (channel != null && !Objects.equals(identity, identity())) {
            close(); // somebody moved it away
        }
        if (channel == null) {
            open();
        }
        return Objects.requireNonNull(channel);
    }

    /** What tells this file from another at the same place; null if there is none. */
    private @Nullable Object identity() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
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
    private void endHalfLine(FileChannel opened) throws IOException {
        long size = opened.size();
        if (size == 0) {
            return;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel reading = FileChannel.open(path, READ)) {
            reading.read(last, size - 1);
        }
        if (last.get(0) != '\n') {
            opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    /** Others on the machine need not read who holds what. */
    private static FileAttribute<?> privately() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));
    }
}
