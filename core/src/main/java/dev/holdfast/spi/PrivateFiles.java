package dev.holdfast.spi;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files and directories that only their owner can read, whatever the umask: locks show who works on what, and state has passwords in
 * it. New files are {@code 0600}, new directories {@code 0700}.
 *
 * <p>Where a directory lets its group write, and not everybody, somebody has set it up for a group: what is made in it is
 * {@code 0660} and {@code 0770}. On file systems without such permissions nothing is changed.
 */
public final class PrivateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);
    private static final Set<PosixFilePermission> GROUP = EnumSet.of(
            PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

    private PrivateFiles() {}

    /** Opens a file; if that makes it, only for its owner. */
    public static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        if (!isPosix(file)) {
            return FileChannel.open(file, options);
        }
        boolean missing = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        FileChannel channel = FileChannel.open(file, options, attributes("rw-------"));
        if (missing && isForGroup(file.toAbsolutePath().getParent())) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        }
        return channel;
    }

    /** Makes an empty file; one that is there stays as it is. */
    public static void createFile(Path file) throws IOException {
        try {
            if (!isPosix(file)) {
                Files.createFile(file);
                return;
            }
            Files.createFile(file, attributes("rw-------"));
            if (isForGroup(file.toAbsolutePath().getParent())) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
            }
        } catch (FileAlreadyExistsException e) {
            // it is there, whoever was faster
        }
    }

    /**
     * Makes a directory in one that is there.
     *
     * @throws FileAlreadyExistsException if there is something of that name
     */
    public static void createDirectory(Path directory) throws IOException {
        if (!isPosix(directory)) {
            Files.createDirectory(directory);
            return;
        }
        Files.createDirectory(directory, attributes("rwx------"));
        if (isForGroup(directory.toAbsolutePath().getParent())) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        }
    }

    /** Makes a directory with those above it, as far as they are missing; one that is there stays as it is. */
    public static void createDirectories(Path directory) throws IOException {
        if (isPosix(directory)) {
            Files.createDirectories(directory, attributes("rwx------"));
        } else {
            Files.createDirectories(directory);
        }
    }

    /**
     * Removes everybody else's permissions on a file or directory of ours that an earlier version, or somebody's umask,
     * has left open to all. If we may not, a warning says what to do. What is not there, and what was opened for a
     * group alone, is left as it is.
     */
    public static void tighten(Path path) {
        try {
            if (!isPosix(path)) {
                return;
            }
            Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
            if (now.stream().noneMatch(OTHERS::contains)) {
                return;
            }
            Set<PosixFilePermission> next = EnumSet.copyOf(now);
            next.removeAll(OTHERS);
            if (!now.contains(PosixFilePermission.GROUP_WRITE)) {
                next.removeAll(GROUP); // not set up for a group: the usual umask
            }
            narrow(path, now, next);
        } catch (NoSuchFileException e) {
            // nothing there that anybody could read
        } catch (IOException e) {
            LOG.warn("It is not known who may read '{}': {}", path, e.toString());
        }
    }

    private static void narrow(Path path, Set<PosixFilePermission> now, Set<PosixFilePermission> next) {
        try {
            Files.setPosixFilePermissions(path, next);
            LOG.info(
                    "'{}' was open to every user of this machine ({}); now it is {}",
                    path,
                    PosixFilePermissions.toString(now),
                    PosixFilePermissions.toString(next));
        } catch (IOException e) {
            LOG.warn(
                    "Every user of this machine can use '{}' ({}), and this process may not change that: {}. Let its"
                            + " owner run: chmod go-rwx {}",
                    path,
                    PosixFilePermissions.toString(now),
                    e.toString(),
                    path);
        }
    }

    /** Somebody let a group write here, and not everybody, as in a place for temporary files. */
    private static boolean isForGroup(@org.jspecify.annotations.Nullable Path directory) throws IOException {
        if (directory == null) {
            return false;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        return permissions.contains(PosixFilePermission.GROUP_WRITE)
                && !permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static boolean isPosix(Path path) throws IOException {
        Path there = path.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return Files.getFileStore(there).supportsFileAttributeView(PosixFileAttributeView.class);
    }

    private static FileAttribute<Set<PosixFilePermission>> attributes(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }
}
