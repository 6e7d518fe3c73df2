package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Documents that are written one after the other, as in a bucket; a crash may come after each. */
final class OneByOne implements DocumentStore {
    private final DocumentStore below;
    /** How many single writes succeed before the process dies; negative: all. */
    private int writesLeft = -1;

    OneByOne(DocumentStore below) {
        this.below = below;
    }

    /** Dies after this many further changes: the next throws {@link Crash}. */
    void crashAfter(int changes) {
        writesLeft = changes;
    }

    void recover() {
        writesLeft = -1;
    }

    /** The process is gone; nothing of ours runs after it. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1;

        Crash() {
            super("crash");
        }
    }

    @Override
    public String kind() {
        return below.kind();
    }

    @Override
    public long maxSize() {
        return below.maxSize();
    }

    @Override
    public boolean isAtomic() {
        return false;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        return below.look(name);
    }

    @Override
    public Optional<Document> get(String name) {
        return below.get(name);
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        List<DocumentHead> heads = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            if (writesLeft == 0) {
                throw new Crash();
            }
            writesLeft--;
            WriteOutcome one = below.write(changes.get(i));
            if (one instanceof WriteOutcome.Refused refused) {
                return new WriteOutcome.Refused(i, refused.current());
            }
            heads.addAll(((WriteOutcome.Written) one).heads());
        }
        return new WriteOutcome.Written(heads);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return below.list(request);
    }

    @Override
    public void close() {
        below.close();
    }
}
