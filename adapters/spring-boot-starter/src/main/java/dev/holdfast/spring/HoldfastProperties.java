package dev.holdfast.spring;

import dev.holdfast.ClientConfig;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.StoreUrls;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings of an application, {@code holdfast.*}.
 *
 * @param url where the locks are: a store such as {@code postgresql://user:password@host/database}, or a server such as
 *     {@code https://locks.example.com}; empty for the database of the application's {@code DataSource}
 * @param owner who is shown as the holder of its locks; host, process and start time unless given
 * @param namespace of locks named without one; {@code default} unless given
 * @param lease how long a method marked {@link WithLock} keeps its lock without a renewal
 * @param waitTime how long such a method waits for its lock; the property is {@code holdfast.wait}
 * @param connectWait how long the start of the application waits for a store that is not there yet
 * @param operationTimeout how long an operation is retried when the store fails
 * @param history whether events are written to the store
 * @param shutdownWait how long work that holds a lock may go on when the application ends
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @DefaultValue("") String url,
        @DefaultValue("") String owner,
        @DefaultValue(LockKey.DEFAULT_NAMESPACE) String namespace,
        @DefaultValue("30s") Duration lease,
        @Name("wait") @DefaultValue("30s") Duration waitTime,
        @DefaultValue("30s") Duration connectWait,
        @DefaultValue("10s") Duration operationTimeout,
        @DefaultValue("true") boolean history,
        @DefaultValue("20s") Duration shutdownWait) {

    /**
     * Checks them all, so that a mistake ends the start and not the first call.
     *
     * @throws HoldfastStartException telling of each what is wrong
     */
    public HoldfastProperties {
        StartProblems problems = new StartProblems();
        problems.within("holdfast.lease", lease, Terms.MIN_LEASE, Terms.MAX_LEASE);
        problems.within("holdfast.wait", waitTime, Duration.ZERO, StartProblems.LONGEST_WAIT);
        problems.within("holdfast.shutdown-wait", shutdownWait, Duration.ZERO, StartProblems.LONGEST_WAIT);
        problems.of("holdfast.connect-wait", () -> ClientConfig.DEFAULT.withConnectWait(connectWait));
        problems.of("holdfast.operation-timeout", () -> ClientConfig.DEFAULT.withOperationTimeout(operationTimeout));
        problems.of("holdfast.namespace", () -> ClientConfig.DEFAULT.withNamespace(namespace));
        if (!owner.isEmpty()) {
            problems.of("holdfast.owner", () -> ClientConfig.DEFAULT.withOwner(owner));
        }
        if (problems.areThere()) {
            throw new HoldfastStartException(
                    problems.after("A setting of Holdfast is wrong"), "Correct it where the application is configured");
        }
    }

    @Override
    public String toString() {
        return "HoldfastProperties[url=" + StoreUrls.masked(url) + "]";
    }
}
