package dev.holdfast.documents.file;

import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The directory and what is below it, for its owner alone. No link is followed below it, so no name leads out of it; what was written or moved is on
 * the disk when a method returns.
 *
 * @param root the directory, by its real path
 */
record Tree(Path root) {
    /**
     * The files of a document.
     *
     * @param content its bytes
     * @param head what else is known of it
     * @param pending the bytes of the write under way
     */
    record Places(Path content, Path head, Path pending) {}

    /**
     * Where the document with this name is, or would be.
     *
     * @param make makes the directories that are missing
     * @return empty if one is missing and is not to be made
     */
    Optional<Places> files(String name, boolean make) throws IOException {
        String[] segments = name.split("/", -1);
        Path directory = root;
        for (int i = 0; i < segments.length - 1; i++) {
            Path parent = directory;
            directory = directory.resolve(segments[i]);
            if (!isDirectory(directory)) {
                if (!make) {
                    return Optional.empty();
                }
                make(parent, directory);
            }
        }
        String leaf = segments[segments.length - 1];
        return Optional.of(new Places(
                directory.resolve(leaf),
                directory.resolve("." + leaf + ".meta"),
                directory.resolve("." + leaf + ".pending")));
    }

    /** The document whose head is in a file of this name, if one is. */
    static Optional<String> leafOf(String file) {
        return file.startsWith(".") && file.endsWith(".meta")
                ? Optional.of(file.substring(1, file.length() - ".meta".length()))
                : Optional.empty();
    }

    private static boolean isDirectory(Path directory) {
        if (Files.isSymbolicLink(directory)) {
            throw new StoreUnusableException(
                    "'" + directory + "' is a link. Links are not followed among documents, as they may lead elsewhere;"
                            + " put the directory itself there",
                    null);
        }
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }

    private static void make(Path parent, Path directory) throws IOException {
        try {
            PrivateFiles.createDirectory(directory);
            force(parent);
        } catch (FileAlreadyExistsException e) {
            throw new StoreUnusableException(
                    "'" + directory + "' is a file, so there can be no document below that name; choose another name",
                    e);
        }
    }

    /** The bytes of a file; empty if there is none. */
    static Optional<byte[]> read(Path file, long max) throws IOException {
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (channel.size() > max) {
                throw new StoreUnusableException(
                        "'" + file + "' has " + channel.size() + " bytes, more than " + max + "; it was not read",
                        null);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until it is full or the file ends, should somebody shorten it
            }
            return Optional.of(bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** A new file with these bytes, on the disk. */
    static void write(Path file, byte[] bytes) throws IOException {
        Files.deleteIfExists(file);
        try (FileChannel channel = PrivateFiles.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /** Replaces what is there in one step. */
    static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** What a directory says of its files is on the disk; not on systems where directories cannot be opened. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (AccessDeniedException e) {
            if (!System.getProperty("os.name", "").startsWith("Windows")) {
                throw e;
            }
        }
    }
}
