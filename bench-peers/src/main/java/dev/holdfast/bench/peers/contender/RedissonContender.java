package dev.holdfast.bench.peers.contender;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson on Redis. Its locks are renewed by itself, and waiters are told by a message. */
final class RedissonContender implements Contender {
    private final RedissonClient redis;

    RedissonContender(int port) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        redis = Redisson.create(config);
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws InterruptedException {
        RLock lock = redis.getLock(name);
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(lock::unlock) : Optional.empty();
    }

    @Override
    public void close() {
        redis.shutdown();
    }
}
