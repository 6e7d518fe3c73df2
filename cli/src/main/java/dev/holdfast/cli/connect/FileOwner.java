package dev.holdfast.cli.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whose a file is: its owner may change it, whatever its rights are. */
final class FileOwner {
    private static final int ROOT = 0;

    /** Belongs to the user a process runs as; only on Linux. */
    private static final Path SELF = Path.of("/proc/self");

    private FileOwner() {}

    /** The owner, if that is neither the user of this process nor root; empty also where files have no such owners. */
    static Optional<String> other(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return Optional.empty();
        }
        int owner = uid(file);
        String name = Files.getOwner(file).getName();
        boolean mine = Files.exists(SELF) ? owner == uid(SELF) : name.equals(System.getProperty("user.name"));
        return owner == ROOT || mine ? Optional.empty() : Optional.of(name);
    }

    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }
}
