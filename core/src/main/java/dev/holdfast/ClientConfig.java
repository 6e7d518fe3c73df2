package dev.holdfast;

import dev.holdfast.engine.EngineConfig;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Names;
import dev.holdfast.spi.ConnectWait;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;

/**
 * Settings of a client.
 *
 * @param owner who is shown as the holder of its locks
 * @param namespace of locks named without one
 * @param engine limits and habits of its engine
 * @param connectWait how long {@link LockClient#connect} waits for a store that is not there yet; zero for a single attempt. What
 *     the URL says ({@code ?connect_wait=10s}) goes first
 */
public record ClientConfig(String owner, String namespace, EngineConfig engine, Duration connectWait) {
    /** Owner {@code hostname-pid-starttime}, namespace {@code default}, 30 s to connect. */
    public static final ClientConfig DEFAULT =
            new ClientConfig(processLabel(), LockKey.DEFAULT_NAMESPACE, EngineConfig.DEFAULT);

    /** Checks the names and the wait. */
    public ClientConfig {
        Names.text("owner", owner, 1);
        LockKey.of(namespace, "x");
        ConnectWait.checked(connectWait);
    }

    /** With the usual wait for a store. */
    public ClientConfig(String owner, String namespace, EngineConfig engine) {
        this(owner, namespace, engine, ConnectWait.DEFAULT);
    }

    /** The same with another owner. */
    public ClientConfig withOwner(String other) {
        return new ClientConfig(other, namespace, engine, connectWait);
    }

    /** The same with another namespace. */
    public ClientConfig withNamespace(String other) {
        return new ClientConfig(owner, other, engine, connectWait);
    }

    /** The same with other limits. */
    public ClientConfig withEngine(EngineConfig other) {
        return new ClientConfig(owner, namespace, other, connectWait);
    }

    /** The same with another patience for a store that is not there yet. */
    public ClientConfig withConnectWait(Duration other) {
        return new ClientConfig(owner, namespace, engine, other);
    }

    /** A label for people. The identity of a holder is its lease id, so equal labels do no harm. */
    private static String processLabel() {
        ProcessHandle self = ProcessHandle.current();
        Instant started = self.info().startInstant().orElseGet(Instant::now);
        return hostname() + "-" + self.pid() + "-" + started.getEpochSecond();
    }

    private static String hostname() {
        String set = System.getenv("HOSTNAME");
        if (set != null && !set.isBlank()) {
            return set;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine without a name: the label is all that suffers
        }
    }
}
