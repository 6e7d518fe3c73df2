package dev.holdfast;

/**
 * Connects clients to something that is not a store of this process, such as a server. Found through
 * {@link java.util.ServiceLoader}: one on the class path can be named by URL in {@link LockClient#connect}. For the
 * modules of Holdfast, and not promised to stay as it is.
 */
public interface Connector {
    /** Whether it understands the URL, judged by its scheme. */
    boolean accepts(String url);

    /** An example of the URLs it takes, for messages. */
    String example();

    /**
     * Connects, without waiting for the other side: a server that is away is noticed at the first call.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     */
    LockService connect(String url, ClientConfig config);
}
