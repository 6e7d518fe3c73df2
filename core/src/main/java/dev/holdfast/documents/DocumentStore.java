package dev.holdfast.documents;

import java.util.List;
import java.util.Optional;

/**
 * Documents under names, each changed by compare-and-set.
 *
 * <p>Calls block until it is done and durable. They fail with a {@link dev.holdfast.spi.StoreException}, which is never an
 * answer about a document; with {@link dev.holdfast.spi.OutcomeUnknownException} if a write may or may not have happened. An
 * interrupt is honoured where the store can, and stays set. Safe for any thread, and with any number of processes on the same
 * place.
 */
public interface DocumentStore extends AutoCloseable {
    /** Short name for messages, such as {@code sqlite}. */
    String kind();

    /** The largest content it takes, in bytes. */
    long maxSize();

    /** Whether {@link #write} of several changes happens as a whole even if the process dies in the middle. */
    boolean isAtomic();

    /** What is known of a document without reading its content; empty if there is none. Sees every acknowledged write. */
    Optional<DocumentHead> look(String name);

    /** A document; empty if there is none. Sees every acknowledged write. */
    Optional<Document> get(String name);

    /**
     * Makes these changes, of different documents, in order. If a condition does not hold, that change and those after it are not
     * made; nor those before it where the store {@link #isAtomic()}.
     *
     * @param changes at least one, at most {@value Change#MAX_CHANGES}
     */
    WriteOutcome write(List<Change> changes);

    /** One change. */
    default WriteOutcome write(Change change) {
        return write(List.of(change));
    }

    /** A page of documents, in the order of their names as UTF-8 bytes, without contents. */
    DocumentPage list(ListRequest request);

    /** The names of such a page: cheaper where a store would look at each document for the rest. */
    default NamePage names(ListRequest request) {
        DocumentPage page = list(request);
        return new NamePage(page.heads().stream().map(DocumentHead::name).toList(), page.next());
    }

    /**
     * A page of names.
     *
     * @param names in the order asked
     * @param next the name to go on behind; empty if there are no more
     */
    record NamePage(List<String> names, Optional<String> next) {}

    /** Frees what it uses. */
    @Override
    void close();
}
