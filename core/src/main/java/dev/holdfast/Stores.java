package dev.holdfast;

import dev.holdfast.internal.loading.Services;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;
import dev.holdfast.spi.StoreUrls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds the store a URL names among those on the class path. For the modules of Holdfast, and not promised to stay as it is. */
public final class Stores {
    private Stores() {}

    /**
     * Opens the store with this URL, for tools that need the store itself; most callers want {@link LockClient#connect}. One that
     * cannot be reached is waited for, 30 s unless the URL says otherwise ({@code ?connect_wait=10s}).
     *
     * @throws IllegalArgumentException if no store on the class path understands the URL, or it is malformed
     * @throws dev.holdfast.spi.StoreException if the store cannot be opened
     */
    public static RecordStore open(String url) {
        return open(url, ConnectWait.DEFAULT);
    }

    /** The same with another patience, for URLs that say nothing of it; zero for a single attempt. */
    public static RecordStore open(String url, Duration connectWait) {
        return open(url, connectWait, List.of());
    }

    /** The same for whoever also takes URLs such as these, which are then named to who gives one that nobody knows. */
    static RecordStore open(String url, Duration connectWait, List<String> others) {
        return ConnectWait.open(url, connectWait, it -> openNow(it, others));
    }

    private static RecordStore openNow(String url, List<String> others) {
        if (url.equals("memory:")) {
            return MemoryStore.exclusive();
        }
        List<String> known = new ArrayList<>(List.of("memory:"));
        for (StoreFactory factory : Services.of(StoreFactory.class)) {
            if (factory.accepts(url)) {
                return factory.open(url);
            }
            known.add(factory.example());
        }
        known.addAll(others);
        throw new IllegalArgumentException("No store on the class path understands '" + masked(url)
                + "'. Known here: " + String.join(", ", known)
                + ". Other stores are separate modules: add, for example, holdfast-jdbc for sqlite:");
    }

    /** The URL as it may be shown: no password may reach a log, neither before the host nor among the parameters. */
    public static String masked(String url) {
        return StoreUrls.masked(url);
    }
}
