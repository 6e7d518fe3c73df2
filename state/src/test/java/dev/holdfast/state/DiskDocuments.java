package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Documents whose contents are on disk, one copy in memory for each that is read: to count the copies of others. */
final class DiskDocuments implements DocumentStore {
    private final Path directory;
    private final MemoryDocuments heads = new MemoryDocuments();

    DiskDocuments(Path directory) {
        this.directory = directory;
    }

    private Path file(String name) {
        return directory.resolve(name.replace('/', '!'));
    }

    /** The size of a content, in place of it. */
    private static byte[] size(byte[] content) {
        return Integer.toString(content.length).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private DocumentHead head(DocumentHead small) {
        try {
            return new DocumentHead(small.name(), small.tag(), Files.size(file(small.name())), small.attributes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        List<Change> small = new ArrayList<>();
        for (Change change : changes) {
            small.add(
                    change instanceof Change.Put put
                            ? Change.put(put.name(), put.condition(), size(put.content()), put.attributes())
                            : change);
        }
        WriteOutcome outcome = heads.write(small);
        if (outcome instanceof WriteOutcome.Written) {
            try {
                for (Change change : changes) {
                    if (change instanceof Change.Put put) {
                        Files.write(file(put.name()), put.content());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return outcome;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        return heads.look(name).map(this::head);
    }

    @Override
    public Optional<Document> get(String name) {
        return look(name).map(head -> {
            try {
                return new Document(head, Files.readAllBytes(file(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public DocumentPage list(ListRequest request) {
        DocumentPage page = heads.list(request);
        return new DocumentPage(page.heads().stream().map(this::head).toList(), page.next());
    }

    @Override
    public String kind() {
        return "disk";
    }

    @Override
    public long maxSize() {
        return 1 << 30;
    }

    @Override
    public boolean isAtomic() {
        return true;
    }

    @Override
    public void close() {}
}
