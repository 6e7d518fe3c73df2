package dev.holdfast.documents.file;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.Tags;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Single documents: reading, at any time; and the steps of writing, for whoever has the {@link WriteLock}. */
record DocumentFiles(Tree tree, long maxSize) {
    /** A head is small; what is larger is none. */
    private static final int MAX_HEAD = 16_384;
    /** A writer overtakes a reader this often only if it does nothing else. */
    private static final int MAX_LOOKS = 1_000;

    Optional<HeadFile> head(String name) throws IOException {
        Optional<Tree.Places> places = tree.files(name, false);
        return places.isEmpty() ? Optional.empty() : head(name, places.get().head());
    }

    private Optional<HeadFile> head(String name, Path file) throws IOException {
        Optional<byte[]> bytes = Tree.read(file, MAX_HEAD);
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        try {
            HeadFile found = HeadFile.read(bytes.get());
            if (found.head().name().equals(name)) {
                return Optional.of(found);
            }
            throw new IllegalArgumentException("it belongs to '" + found.head().name()
                    + "'; this file system seems to take different names for the same");
        } catch (IllegalArgumentException e) {
            throw new StoreUnusableException(
                    "'" + file + "' is not what Holdfast wrote (" + e.getMessage()
                            + "). It was not touched; restore it from a backup",
                    e);
        }
    }

    /** The head, and the content that has its SHA-256: in its place, or where the write under way has put it. */
    Optional<Document> read(String name) throws IOException {
        Optional<Tree.Places> found = tree.files(name, false);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Tree.Places places = found.get();
        Optional<HeadFile> head = head(name, places.head());
        for (int look = 0; look < MAX_LOOKS && head.isPresent(); look++) {
            for (Path file : new Path[] {places.content(), places.pending(), places.content()}) {
                Optional<byte[]> content = content(head.get(), file);
                if (content.isPresent()) {
                    return Optional.of(new Document(head.get().head(), content.get()));
                }
            }
            Optional<HeadFile> now = head(name, places.head());
            if (now.equals(head)) {
                throw changedByHand(places.content());
            }
            head = now;
        }
        if (head.isPresent()) {
            throw new StoreUnavailableException(
                    "'" + places.content() + "' is being rewritten all the time; read it later", null);
        }
        return Optional.empty();
    }

    private Optional<byte[]> content(HeadFile head, Path file) throws IOException {
        return Tree.read(file, maxSize)
                .filter(bytes ->
                        bytes.length == head.head().size() && Sha256.of(bytes).equals(head.sha256()));
    }

    private static StoreUnusableException changedByHand(Path file) {
        return new StoreUnusableException(
                "'" + file
                        + "' is not what was written there: its SHA-256 differs from the one in the hidden file beside"
                        + " it, so it was changed by other means. Put the original back, or delete both files and"
                        + " write it again",
                null);
    }

    // ---- writing

    /** Makes a change whose condition holds. The head of what is there then. */
    Optional<DocumentHead> make(Change change) throws IOException {
        if (change instanceof Change.Put put) {
            return Optional.of(put(put));
        }
        return change instanceof Change.Mark mark ? Optional.of(mark(mark)) : delete(change.name());
    }

    /** Refuses, before anything of a write is made, a document that would replace what is none. */
    void prepare(Change change) throws IOException {
        if (change instanceof Change.Put) {
            Tree.Places places = tree.files(change.name(), true).orElseThrow();
            if (!Tree.exists(places.head()) && Tree.exists(places.content())) {
                throw new StoreUnusableException(
                        "'" + places.content()
                                + "' exists, but is not a document of Holdfast; move it away, or choose another name",
                        null);
            }
        }
    }

    private DocumentHead put(Change.Put put) throws IOException {
        Tree.Places places = tree.files(put.name(), true).orElseThrow();
        finish(head(put.name(), places.head()), places);
        DocumentHead head = new DocumentHead(put.name(), Tags.fresh(), put.content().length, put.attributes());
        Tree.write(places.pending(), put.content());
        Tree.force(directory(places));
        replaceHead(places, new HeadFile(head, put.sha256()));
        Tree.move(places.pending(), places.content());
        return head;
    }

    private DocumentHead mark(Change.Mark mark) throws IOException {
        Tree.Places places = tree.files(mark.name(), false).orElseThrow();
        HeadFile old = head(mark.name(), places.head()).orElseThrow();
        finish(Optional.of(old), places);
        DocumentHead head =
                new DocumentHead(mark.name(), Tags.fresh(), old.head().size(), mark.attributes());
        replaceHead(places, new HeadFile(head, old.sha256()));
        return head;
    }

    private Optional<DocumentHead> delete(String name) throws IOException {
        Optional<Tree.Places> places = tree.files(name, false);
        Optional<HeadFile> old =
                places.isEmpty() ? Optional.empty() : head(name, places.get().head());
        if (old.isPresent()) {
            Tree.Places there = places.orElseThrow();
            finish(old, there);
            if (Tree.exists(there.content())) {
                Tree.move(there.content(), there.pending()); // a file without a head would be somebody else's
                Tree.force(directory(there));
            }
            Files.deleteIfExists(there.head());
            Tree.force(directory(there));
            Files.deleteIfExists(there.pending());
        }
        return Optional.empty();
    }

    /** The moment it has happened. */
    private static void replaceHead(Tree.Places places, HeadFile head) throws IOException {
        Path next = places.head().resolveSibling(places.head().getFileName() + ".next");
        Tree.write(next, head.bytes());
        Tree.move(next, places.head());
        Tree.force(directory(places));
    }

    /** Ends what a writer began who did not live to: bytes that are the document's go to their place, others away. */
    private void finish(Optional<HeadFile> head, Tree.Places places) throws IOException {
        if (!Tree.exists(places.pending())) {
            return;
        }
        if (head.isPresent() && content(head.get(), places.pending()).isPresent()) {
            Tree.move(places.pending(), places.content());
            Tree.force(directory(places));
        } else {
            Files.delete(places.pending());
        }
    }

    private static Path directory(Tree.Places places) {
        Path parent = places.head().getParent();
        return parent == null ? places.head() : parent;
    }
}
