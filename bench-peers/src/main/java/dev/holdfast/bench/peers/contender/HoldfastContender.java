package dev.holdfast.bench.peers.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.DynamoSchema;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import java.time.Duration;
import java.util.Optional;

/** Ours: the library on a store, or as a client of a server. */
record HoldfastContender(LockClient locks, Runnable disconnect) implements Contender {
    /** On PostgreSQL, through a pool like everybody's. */
    static Contender onPostgres(String jdbcUrl, int connections, ClientConfig config) {
        HikariDataSource pool = RawUpserts.pool(jdbcUrl, connections);
        return new HoldfastContender(
                LockClient.on(PostgresStore.open(pool, PostgresConfig.DEFAULT), config), pool::close);
    }

    static Contender at(String url) {
        return new HoldfastContender(LockClient.connect(url), () -> {});
    }

    /** On DynamoDB; makes the tables if they are missing. */
    static Contender onDynamo(String url) {
        DynamoSchema.of(url).migrate();
        return at(url);
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws InterruptedException {
        return locks.tryAcquire(name, o -> o.waitUpTo(wait).lease(LEASE))
                .toOptional()
                .map(HoldfastContender::held);
    }

    private static Held held(Lease lease) {
        return new Renewable(
                () -> check(lease.extend(LEASE), "the lease of " + lease.key() + " is lost"),
                () -> check(lease.release(), "the lease of " + lease.key() + " was lost"));
    }

    private static void check(boolean done, String otherwise) {
        if (!done) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Override
    public void close() {
        locks.close();
        disconnect.run();
    }
}
