package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Opens what is only looked at for now. Opening a file that is not there would make it; instead an empty one of the same kind, in a
 * directory of its own, stands in for it: what is refused there would be refused in the file itself. Closing this removes them, after
 * what was opened is closed.
 */
public final class StandIns implements AutoCloseable {
    private Optional<Path> temporary = Optional.empty();
    private int count;

    public RecordStore locks(String url) {
        return Stores.open(StoreFile.isMissing(url) ? standIn(url) : url, Target.PATIENCE);
    }

    public DocumentStore documents(String url) {
        if (!DocumentPlaces.isMissing(url)) {
            return DocumentStores.open(url, Target.PATIENCE);
        }
        if (StoreFile.is(url)) {
            return DocumentStores.open(standIn(url), Target.PATIENCE);
        }
        Path directory = DocumentPlaces.directory(url).toAbsolutePath().normalize();
        if (Files.exists(directory)) {
            return DocumentStores.open(url, Target.PATIENCE); // no directory: it is refused, and nothing is made for it
        }
        count++;
        checkCanBeMade(directory);
        return new MemoryDocuments();
    }

    /** Whether anything would have been made. */
    public boolean areUsed() {
        return count > 0;
    }

    private String standIn(String url) {
        if (url.contains("sqlite://")) {
            return url; // which is refused, and nothing is made for it
        }
        Path file = StoreFile.path(url).toAbsolutePath().normalize();
        checkCanBeMade(Optional.ofNullable(file.getParent()).orElse(file));
        count++;
        return StoreFile.located(
                url, missing -> directory().resolve(count + ".db").toString());
    }

    /** As those who open it see to it: a directory is made, but not the way to it. */
    private static void checkCanBeMade(Path directory) {
        Path parent = directory.getParent();
        Path there = Files.isDirectory(directory) || parent == null ? directory : parent;
        if (!Files.isDirectory(there)) {
            throw new StoreUnusableException(
                    "The directory '" + directory + "' does not exist, nor does the one above it; correct the path, or"
                            + " create it: mkdir -p " + directory,
                    null);
        }
        if (!Files.isWritable(there)) {
            throw new StoreUnusableException(
                    "Nothing can be made in '" + there + "'; check the permissions of this directory", null);
        }
    }

    private Path directory() {
        if (temporary.isEmpty()) {
            try {
                temporary = Optional.of(Files.createTempDirectory("holdfast-look"));
            } catch (IOException e) {
                throw new CommandException("No temporary file can be made in '" + System.getProperty("java.io.tmpdir")
                        + "': " + FileProblem.why(e) + ". An empty one has to stand in there for what does not exist"
                        + " yet. Make room, or name another directory: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIRECTORY");
            }
        }
        return temporary.get();
    }

    @Override
    public void close() {
        temporary.ifPresent(directory -> {
            try {
                TemporaryFiles.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
