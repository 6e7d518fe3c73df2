package dev.holdfast.documents.file;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.Writes;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents as files of a directory on a disk of this machine, each under its own name with exactly the bytes that were written;
 * what else is known of it is in a hidden file beside it. Any number of processes may share the directory. Several changes in one
 * write are made one after the other, each as a whole.
 *
 * <p>Files that were put there by other means are no documents, and are never replaced. A name cannot be both a document and the
 * beginning of another's. Not for network drives, where locks of files do not work, nor for file systems that do not tell
 * small letters from capital ones.
 */
public final class FileDocuments implements DocumentStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileDocuments.class);
    private static final long MAX_SIZE = 1L << 30;

    private final Tree tree;
    private final DocumentFiles files;
    private final WriteLock lock;
    private volatile boolean closed;

    private FileDocuments(Tree tree, WriteLock lock) {
        this.tree = tree;
        this.files = new DocumentFiles(tree, MAX_SIZE);
        this.lock = lock;
    }

    /**
     * Opens the directory, creating it if it alone is missing.
     *
     * @throws StoreException saying which directory, what is wrong, and what to do
     */
    public static DocumentStore open(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        try {
            Path parent = absolute.getParent();
            if (!Files.isDirectory(absolute) && (parent == null || !Files.isDirectory(parent))) {
                throw new StoreUnusableException(
                        "The directory '" + absolute
                                + "' for documents does not exist, nor does the one above it; correct"
                                + " the path, or create it: mkdir -p " + absolute,
                        null);
            }
            PrivateFiles.createDirectories(absolute); // many may do so at once
            Path real = absolute.toRealPath();
            PrivateFiles.tighten(real); // all of it is below, so this closes all of it
            return new FileDocuments(new Tree(real), WriteLock.of(real));
        } catch (IOException e) {
            throw new StoreUnusableException(
                    "The directory '" + absolute + "' for documents cannot be used: " + e
                            + "; it must be a directory this process may read and write",
                    e);
        }
    }

    @Override
    public String kind() {
        return "file";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    public boolean isAtomic() {
        return false;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        DocumentNames.checked(name);
        return tried("looking at '" + name + "'", () -> files.head(name).map(HeadFile::head));
    }

    @Override
    public Optional<Document> get(String name) {
        DocumentNames.checked(name);
        return tried("reading '" + name + "'", () -> files.read(name));
    }

    /** All conditions are judged first, as nobody else writes meanwhile: of a refused write nothing is made. */
    @Override
    public WriteOutcome write(List<Change> changes) {
        Writes.check(this, changes);
        return tried("writing '" + changes.get(0).name() + "'", () -> lock.alone(() -> judged(changes)));
    }

    private WriteOutcome judged(List<Change> changes) throws IOException {
        for (int i = 0; i < changes.size(); i++) {
            Optional<DocumentHead> current = files.head(changes.get(i).name()).map(HeadFile::head);
            if (!changes.get(i).condition().holds(current)) {
                return new WriteOutcome.Refused(i, current);
            }
        }
        for (Change change : changes) {
            files.prepare(change);
        }
        Optional<HeadFile> before = files.head(changes.get(0).name());
        try {
            List<DocumentHead> heads = new ArrayList<>();
            for (Change change : changes) {
                files.make(change).ifPresent(heads::add);
            }
            return new WriteOutcome.Written(heads);
        } catch (IOException e) {
            if (isStill(changes.get(0).name(), before)) {
                throw e; // the first was not made, nor any other
            }
            throw new OutcomeUnknownException(
                    "It is not known what of a write to '" + tree.root() + "' was made durable (" + e
                            + "); read again before acting on it",
                    e);
        }
    }

    private boolean isStill(String name, Optional<HeadFile> before) {
        try {
            return files.head(name).equals(before);
        } catch (IOException | StoreException e) {
            return false; // it cannot be told
        }
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return tried("listing documents", () -> {
            List<String> names = FileListing.names(tree.root(), request);
            boolean more = names.size() > request.limit();
            List<String> page = more ? names.subList(0, request.limit()) : names;
            List<DocumentHead> heads = new ArrayList<>();
            for (String name : page) {
                files.head(name).map(HeadFile::head).ifPresent(heads::add); // or it was deleted meanwhile
            }
            return new DocumentPage(heads, more ? Optional.of(page.get(page.size() - 1)) : Optional.empty());
        });
    }

    private <T> T tried(String doing, WriteLock.Work<T> work) {
        if (closed) {
            throw new StoreUnavailableException("The documents in '" + tree.root() + "' were closed", null);
        }
        try {
            return work.run();
        } catch (ClosedByInterruptException e) {
            throw new StoreUnavailableException("Interrupted while " + doing + " in '" + tree.root() + "'", e);
        } catch (AccessDeniedException e) {
            throw new StoreUnusableException(
                    "No permission to use '" + e.getFile() + "' (while " + doing + "); give this process access to '"
                            + tree.root() + "' and all in it",
                    e);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "Cannot use '" + tree.root() + "' (while " + doing + ": " + e
                            + "); check the disk, and the space left on it",
                    e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn(
                    "Closing the lock file in '{}' failed; the end of this process does it: {}",
                    tree.root(),
                    e.toString());
        }
    }
}
