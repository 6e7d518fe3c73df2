package dev.holdfast.documents;

import dev.holdfast.spi.StoreException;

/** A document is there, and cannot be decrypted with the key it names: it was changed, or put under another name. Nothing was changed. */
public final class DamagedDocumentException extends StoreException {
    private static final long serialVersionUID = 1;

    private final transient DocumentHead head;
    private final String problem;

    DamagedDocumentException(DocumentHead head, String problem, Throwable cause) {
        super("Document '" + head.name() + "' is damaged: " + problem + ". Restore it from a backup", cause);
        this.head = head;
        this.problem = problem;
    }

    /** What is known of it all the same. */
    public DocumentHead head() {
        return head;
    }

    /** What is wrong, for a sentence about the document. */
    public String problem() {
        return problem;
    }
}
