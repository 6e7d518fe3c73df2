package dev.holdfast.guard.probe;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        return hosts -> resolved(hosts, Duration.ofSeconds(2), 8);
    }

    private static Map<String, List<String>> resolved(Set<String> hosts, Duration limit, int atOnce)
            throws InterruptedException {
        Map<String, List<String>> found = new TreeMap<>();
        if (hosts.isEmpty()) {
            return found;
        }
        List<String> names = List.copyOf(hosts);
        List<Callable<List<String>>> questions = names.stream()
                .<Callable<List<String>>>map(name -> () -> addresses(name))
                .toList();
        ExecutorService asking = Executors.newFixedThreadPool(Math.min(atOnce, names.size()), HostAddresses::daemon);
        try {
            List<Future<List<String>>> answers = asking.invokeAll(questions, limit.toMillis(), TimeUnit.MILLISECONDS);
            for (int i = 0; i < names.size(); i++) {
                if (!answers.get(i).isCancelled()) {
                    found.put(names.get(i), answers.get(i).get());
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("asking for an address failed", e.getCause());
        } finally {
            asking.shutdownNow();
        }
        return found;
    }

    private static List<String> addresses(String host) {
        try {
            List<String> all = new ArrayList<>();
            for (InetAddress address : InetAddress.getAllByName(host)) {
                all.add(address.getHostAddress());
            }
            return all;
        } catch (UnknownHostException e) {
            return List.of(); // not known is no error: it only means that nobody can be warned
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "guard-names");
        thread.setDaemon(true);
        return thread;
    }
}
