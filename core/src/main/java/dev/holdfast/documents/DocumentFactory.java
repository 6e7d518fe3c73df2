package dev.holdfast.documents;

/** Opens document stores by URL. Found through {@link java.util.ServiceLoader}. */
public interface DocumentFactory {
    /** Whether this factory understands the URL, judged by its scheme. */
    boolean accepts(String url);

    /** An example of the URLs it takes, for messages. */
    String example();

    /**
     * Opens the documents that belong to this URL, creating what they need. The URL of a lock store is also the URL of the
     * documents kept beside the locks.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     * @throws dev.holdfast.spi.StoreException if it cannot be opened, saying why and what to do; secrets are not shown
     */
    DocumentStore open(String url);
}
