package dev.holdfast.documents;

/** A document as it was read. */
public final class Document {
    private final DocumentHead head;
    private final byte[] content;

    /** The content is not copied: documents may be large. Do not change it afterwards. */
    public Document(DocumentHead head, byte[] content) {
        this.head = head;
        this.content = content;
    }

    /** What is known of it. */
    public DocumentHead head() {
        return head;
    }

    /** Its bytes, exactly as they were written. Not a copy: do not change them. */
    public byte[] content() {
        return content;
    }

    @Override
    public String toString() {
        return head + " (" + content.length + " bytes)"; // contents may be secret
    }
}
