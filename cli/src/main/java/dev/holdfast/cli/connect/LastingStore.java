package dev.holdfast.cli.connect;

import dev.holdfast.Stores;
import java.util.Optional;

/** Places that are read or written as a whole: the command opens them itself, and what is in them stays when it ends. */
public final class LastingStore {
    private LastingStore() {}

    /** Why this URL names no such place; empty if it may. */
    public static Optional<String> problem(String url) {
        return url.startsWith("http:") || url.startsWith("https:")
                ? Optional.of("'" + Stores.masked(url)
                        + "' is a server. Stop it and name its store, such as sqlite:holdfast-data/holdfast.db")
                : passing(url);
    }

    /** The same where a server is no mistake. */
    public static Optional<String> passing(String url) {
        return url.equals("memory:")
                ? Optional.of("memory: is empty and ends with this command. Name a store that stays, such as"
                        + " sqlite:locks.db")
                : Optional.empty();
    }
}
