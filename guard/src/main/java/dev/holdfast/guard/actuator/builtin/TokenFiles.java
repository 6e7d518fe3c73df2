package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The highest token seen for each resource, in files of a directory: it outlives a restart, and is shared by all who share the
 * directory. One file per resource, named by the hash of its identifier, changed under the file's lock.
 */
record TokenFiles(Path directory) implements TokenGate {
    private static final int LONGEST = 32;

    // Within one process a file lock is refused, not waited for, so callers queue here first.
    @Override
    public synchronized Optional<ActResult> refusal(ActTarget target) throws ActFailure {
        Path file = directory.resolve(target.key() + ".token");
        long token = target.fencingToken();
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                long seen = read(channel, file);
                if (seen > token) {
                    return Optional.of(new ActResult.Stale(seen));
                }
                if (!target.dryRun() && lock.isValid() && seen < token) {
                    // As long as any token, so that no torn write can leave a shorter, older number.
                    byte[] text = "%020d\n".formatted(token).getBytes(StandardCharsets.US_ASCII);
                    channel.write(ByteBuffer.wrap(text), 0);
                    channel.force(true);
                }
                return Optional.empty();
            }
        } catch (OverlappingFileLockException e) {
            throw new ActFailure(
                    "another actuator is using '" + file + "' at this moment; nothing was done, try again", e);
        } catch (IOException e) {
            throw new ActFailure(
                    "the fencing token cannot be kept in '" + directory + "': " + e + "; nothing was done", e);
        }
    }

    private static long read(FileChannel channel, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
        int count = channel.read(bytes, 0);
        if (count <= 0) {
            return 0;
        }
        String text = new String(bytes.array(), 0, count, StandardCharsets.US_ASCII).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(
                    "'" + file + "' does not hold a token; remove it when nobody acts on the resource", e);
        }
    }
}
