package dev.holdfast.bench.peers.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The lock registries of Spring Integration. */
record SpringContender(RenewableLockRegistry locks, Runnable disconnect) implements Contender {
    /** On PostgreSQL; asks again every 100 ms while it waits, as it does unless told otherwise. */
    static Contender onPostgres(String jdbcUrl, int connections) throws SQLException {
        HikariDataSource pool = RawUpserts.pool(
                jdbcUrl,
                connections,
                "create table if not exists int_lock (lock_key char(36) not null, region varchar(100) not null,"
                        + " client_id char(36), created_date timestamp not null, primary key (lock_key, region))");
        DefaultLockRepository table = new DefaultLockRepository(pool);
        table.setTimeToLive((int) LEASE.toMillis());
        // As its documentation advises for PostgreSQL: a duplicate is no error that ends the transaction.
        table.setInsertQuery(table.getInsertQuery() + " on conflict do nothing");
        table.setTransactionManager(new DataSourceTransactionManager(pool));
        table.afterPropertiesSet();
        table.afterSingletonsInstantiated();
        table.start();
        return new SpringContender(new JdbcLockRegistry(table), pool::close);
    }

    /** On Redis, where a waiter is told by a message. */
    static Contender onRedis(int port) {
        LettuceConnectionFactory redis =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        redis.afterPropertiesSet();
        redis.start();
        RedisLockRegistry registry = new RedisLockRegistry(redis, "spring", LEASE.toMillis());
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
        return new SpringContender(registry, () -> {
            registry.destroy();
            redis.destroy();
        });
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws InterruptedException {
        Lock lock = locks.obtain(name);
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(new Renewable(() -> locks.renewLock(name), lock::unlock))
                : Optional.empty();
    }

    @Override
    public void close() {
        disconnect.run();
    }
}
