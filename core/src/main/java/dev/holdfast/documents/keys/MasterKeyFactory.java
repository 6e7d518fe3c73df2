package dev.holdfast.documents.keys;

/** Finds master keys that a service keeps. Found through {@link java.util.ServiceLoader}. */
public interface MasterKeyFactory {
    /** Whether it understands this source, judged by what stands before the colon. */
    boolean accepts(String source);

    /** An example of the sources it takes, for messages. */
    String example();

    /**
     * The key that is named. The service need not be there yet.
     *
     * @throws IllegalArgumentException if the source is malformed, naming the part
     */
    MasterKey open(String source);
}
