package dev.holdfast.jdbc.sqlite;

import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The real path of a database file.
 *
 * <p>The file itself is never opened here: on POSIX systems, closing it would drop the locks SQLite holds on it for other
 * connections of this process.
 */
final class SqliteFiles {
    private static final List<String> FILES = List.of("", "-wal", "-shm", "-journal", ".lock", ".owner");

    private SqliteFiles() {}

    /** One path for one file, whatever links lead to it; its directory is there. */
    static Path resolve(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        Path name = absolute.getFileName();
        if (directory == null || name == null || Files.isDirectory(absolute)) {
            throw new StoreUnusableException(
                    "'" + absolute + "' is a directory; name a file in it, such as " + absolute.resolve("locks.db"),
                    null);
        }
        try {
            ensure(directory);
            Path real = directory.toRealPath().resolve(name);
            return Files.exists(real) ? real.toRealPath() : real;
        } catch (IOException e) {
            throw new StoreUnusableException(
                    "The directory '" + directory + "' for the locks cannot be used: " + e + "; check its permissions",
                    e);
        }
    }

    /**
     * Makes the file, for its owner alone; SQLite gives its log and index the same permissions. An empty file is an empty database.
     * One at a time, and before any connection of this process has it open: closing it frees locks. Files that are there are
     * closed to others; not their directory, which may be somebody else's.
     */
    static synchronized void create(Path file) {
        try {
            if (!Files.exists(file)) {
                PrivateFiles.createFile(file);
            }
            for (String ending : FILES) {
                PrivateFiles.tighten(file.resolveSibling(file.getFileName() + ending));
            }
        } catch (IOException e) {
            throw new StoreUnusableException(
                    "'" + file + "' cannot be created: " + e + "; check the permissions of its directory", e);
        }
    }

    /** Makes the last directory of the path, but not the way to it: a typing error should not grow a tree. */
    private static void ensure(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (Files.exists(directory) || parent == null || !Files.isDirectory(parent)) {
            throw new StoreUnusableException(
                    "The directory '" + directory + "' for the locks does not exist, nor does the one above it;"
                            + " correct the path, or create it: mkdir -p " + directory,
                    null);
        }
        try {
            PrivateFiles.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            // another process that starts with us was faster
        }
    }
}
