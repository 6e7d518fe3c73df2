package dev.holdfast.cli.backup;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.wire.backup.BackupReader;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupVisitor;
import dev.holdfast.wire.backup.DamagedBackupException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A backup on disk. It is written beside its place, for its owner alone, and read back from the disk before it gets its name: what has the
 * name is whole. What was there before is replaced only if that was asked for, and then in one step.
 */
record BackupFile(Path path) {
    interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** Refuses a place where it cannot be written, before anything is read. */
    void check(boolean replace) {
        Path directory = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path)) {
            throw new IllegalArgumentException("'" + path + "' is a directory; name a file in it");
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException(
                    "There is no directory '" + directory + "' for '" + path + "'; make it first");
        }
        if (!replace && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw taken();
        }
    }

    private IllegalArgumentException taken() {
        return new IllegalArgumentException(
                "'" + path + "' already exists. Name another file, or use --force to replace it");
    }

    /** Writes it, reads it back, and gives it its name; nothing is left if one of these fails. */
    BackupSummary write(boolean replace, Content content) throws IOException, InterruptedException {
        Path partial = path.resolveSibling(
                path.getFileName() + ".partial-" + ProcessHandle.current().pid());
        try {
            try (FileChannel channel = FileChannel.open(
                            partial,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            onlyOwner(partial));
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
                content.writeTo(out);
                out.flush();
                channel.force(true);
            }
            BackupSummary summary = new BackupFile(partial).read(new BackupVisitor() {});
            name(partial, replace);
            return summary;
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    private static FileAttribute<?>[] onlyOwner(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** A link is refused where the name is taken, also if it was taken a moment ago; a move would not be. */
    private void name(Path partial, boolean replace) throws IOException {
        if (replace) {
            Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try {
            Files.createLink(path, partial);
        } catch (FileAlreadyExistsException e) {
            throw taken();
        } catch (UnsupportedOperationException | IOException e) {
            Files.move(partial, path); // a file system without links
        }
    }

    /**
     * Reads all of it.
     *
     * @throws CommandException if it is not a whole backup
     */
    BackupSummary read(BackupVisitor visitor) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return BackupReader.read(in, visitor);
        } catch (DamagedBackupException e) {
            throw new CommandException("The backup '" + path + "' cannot be used: " + e.getMessage());
        }
    }
}
