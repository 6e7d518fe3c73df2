package dev.holdfast.guard.probe;

import dev.holdfast.internal.parts.DaemonThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** What host names stand for. Safe for any thread. */
@FunctionalInterface
public interface HostAddresses {
    /** Knows of none. */
    HostAddresses NONE = hosts -> Map.of();

    /** The addresses of each host, as far as they are known in time. */
    Map<String, List<String>> of(Set<String> hosts) throws InterruptedException;

    /** As this machine resolves them, within two seconds for all: who registers an app waits for it. */
    static HostAddresses ofThisMachine() {
        return hosts -> {
            Map<String, List<String>> found = new ConcurrentHashMap<>();
            ExecutorService asking = Executors.newFixedThreadPool(8, DaemonThreads.named("guard-names"));
            hosts.forEach(host -> asking.execute(() -> found.put(host, addresses(host))));
            asking.shutdown();
            if (!asking.awaitTermination(2, TimeUnit.SECONDS)) {
                asking.shutdownNow();
            }
            return Map.copyOf(found); // what comes later is not waited for
        };
    }

    private static List<String> addresses(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host))
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (UnknownHostException e) {
            return List.of(); // not known is no error: it only means that nobody can be warned
        }
    }
}
