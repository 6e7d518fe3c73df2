package dev.holdfast.spi;

/** Opens stores by URL. Found through {@link java.util.ServiceLoader}: a store on the class path can be named. */
public interface StoreFactory {
    /** Whether this factory understands the URL, judged by its scheme. */
    boolean accepts(String url);

    /** An example of the URLs it takes, for messages. */
    String example();

    /**
     * Opens the store, creating what it needs. A single attempt: {@link ConnectWait} waits for a store that is not
     * there yet, and tries again only after {@link StoreUnavailableException}. So throw another exception for what
     * waiting cannot fix.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     * @throws StoreException if the store cannot be opened, saying why and what to do; secrets in the URL are not shown
     */
    RecordStore open(String url);
}
