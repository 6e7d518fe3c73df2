package dev.holdfast.documents;

import dev.holdfast.internal.loading.Services;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreUrls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds the documents a URL names among the stores on the class path. */
public final class DocumentStores {
    private DocumentStores() {}

    /**
     * Opens the documents with this URL: {@code memory:}, {@code file:directory}, or the URL of a lock store, for documents beside
     * the locks. A place that cannot be reached is waited for, 30 s unless the URL says otherwise ({@code ?connect_wait=10s}).
     *
     * @throws IllegalArgumentException if nothing on the class path understands the URL, or it is malformed
     * @throws dev.holdfast.spi.StoreException if it cannot be opened
     */
    public static DocumentStore open(String url) {
        return open(url, ConnectWait.DEFAULT);
    }

    /** The same with another patience, for URLs that say nothing of it; zero for a single attempt. */
    public static DocumentStore open(String url, Duration connectWait) {
        return ConnectWait.open(url, connectWait, DocumentStores::openNow);
    }

    private static DocumentStore openNow(String url) {
        if (url.equals("memory:")) {
            return new MemoryDocuments();
        }
        List<String> known = new ArrayList<>(List.of("memory:"));
        for (DocumentFactory factory : Services.of(DocumentFactory.class)) {
            if (factory.accepts(url)) {
                return factory.open(url);
            }
            known.add(factory.example());
        }
        throw new IllegalArgumentException("Nothing on the class path keeps documents in '" + StoreUrls.masked(url)
                + "'. Known here: " + String.join(", ", known));
    }
}
