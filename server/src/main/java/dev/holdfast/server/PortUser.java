package dev.holdfast.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that listens on a port, as far as this user may see it: on Linux, from the files below {@code /proc}. Where it cannot
 * be known, nothing is claimed.
 */
record PortUser(long pid, String name) {
    private static final Logger LOG = LoggerFactory.getLogger(PortUser.class);

    private static final String LISTENING = "0A";
    /** Columns of /proc/net/tcp: number, local address, remote address, state, then six more until the inode. */
    private static final int LOCAL = 1;

    private static final int STATE = 3;
    private static final int INODE = 9;

    static Optional<PortUser> of(int port) {
        return of(port, Path.of("/proc"));
    }

    static Optional<PortUser> of(int port, Path proc) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            listening(proc.resolve(table), port, sockets);
        }
        if (sockets.isEmpty()) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (hasOne(process.resolve("fd"), sockets)) {
                    return Optional.of(
                            new PortUser(Long.parseLong(process.getFileName().toString()), name(process)));
                }
            }
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // a process that just ended, or a system that shows less
        }
        return Optional.empty();
    }

    private static void listening(Path table, int port, Set<String> sockets) {
        String suffix = String.format(":%04X", port);
        try {
            for (String line : Files.readAllLines(table, StandardCharsets.ISO_8859_1)) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > INODE && columns[LOCAL].endsWith(suffix) && columns[STATE].equals(LISTENING)) {
                    sockets.add("socket:[" + columns[INODE] + "]");
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} cannot be read: not Linux, or without this version of IP", table);
        }
    }

    /** Only the files of one's own processes can be seen. */
    private static boolean hasOne(Path files, Set<String> sockets) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(files)) {
            for (Path file : open) {
                if (Files.isSymbolicLink(file)
                        && sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException e) {
            return false; // another user's, or gone
        }
        return false;
    }

    /** Not the whole command line: there may be a password in it. */
    private static String name(Path process) {
        try {
            List<String> words = List.of(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .split("\0", -1));
            boolean ours =
                    words.stream().anyMatch(word -> word.matches("dev\\.holdfast\\.cli\\.Main|.*holdfast[^/]*\\.jar"));
            if (ours && words.contains("serve")) {
                return "holdfast serve";
            }
            return Files.readString(process.resolve("comm"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            return "unknown program";
        }
    }

    @Override
    public String toString() {
        return "process " + pid + " (" + name + ")";
    }
}
