package dev.holdfast.bench.peers.contender;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

/** Curator's mutex on ZooKeeper. What keeps a lock is the session of the process; waiters are told in fair order. */
final class CuratorContender implements Contender {
    private static final int RETRY_MILLIS = 100;

    private final CuratorFramework zookeeper;
    private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

    CuratorContender(int port) {
        zookeeper = CuratorFrameworkFactory.builder()
                .connectString("127.0.0.1:" + port)
                .sessionTimeoutMs((int) LEASE.toMillis())
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .build();
        zookeeper.start();
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws Exception {
        InterProcessMutex mutex =
                mutexes.computeIfAbsent(name, key -> new InterProcessMutex(zookeeper, "/locks/" + key));
        return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(mutex::release) : Optional.empty();
    }

    @Override
    public void close() {
        zookeeper.close();
    }
}
