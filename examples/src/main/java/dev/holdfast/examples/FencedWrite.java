package dev.holdfast.examples;

import dev.holdfast.AcquireOptions;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.FencedJdbc;
import dev.holdfast.jdbc.StaleLeaseException;
import dev.holdfast.model.LockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Reads a balance, thinks, and writes the new one. A process that was paused while it thought does not overwrite what others
 * have written meanwhile: its transaction is refused.
 *
 * <pre>
 *   FencedWrite AMOUNT           adds the amount; thinks for THINKS
 *   FencedWrite AMOUNT asleep    plays a process that is paused: its lease is not renewed, and it thinks for three leases
 * </pre>
 *
 * <p>Start the second in one terminal and the first in another. {@code LEASE} is how long the lock outlives its holder.
 */
public final class FencedWrite {
    private static final String US = ClientConfig.DEFAULT.owner();
    private static final LockKey ACCOUNT = LockKey.of("default", "account-4711");

    private final Database database = Database.fromEnvironment();
    private final Duration lease = Env.duration("LEASE", Duration.ofSeconds(5));

    private FencedWrite() {}

    /** Adds to the balance once. */
    public static void main(String[] args) throws Exception {
        long amount = Long.parseLong(args.length > 0 ? args[0] : "10");
        boolean asleep = args.length > 1 && args[1].equals("asleep");
        new FencedWrite().add(amount, asleep);
    }

    private void add(long amount, boolean asleep) throws SQLException, InterruptedException {
        try (LockClient locks = LockClient.connect(database.url());
                Lease held = locks.acquire(ACCOUNT, o -> terms(o, asleep))) {
            long balance = read();
            System.out.println(US + " read " + balance + " with token " + held.token());
            Duration thinks = asleep ? lease.multipliedBy(3) : Env.duration("THINKS", Duration.ZERO);
            Thread.sleep(thinks.toMillis());
            // Looking at held.isValid() here would often be enough. But the next pause may come right after the look.
            write(held, balance + amount);
        }
    }

    private AcquireOptions terms(AcquireOptions options, boolean asleep) {
        options.lease(lease).waitUpTo(Duration.ofMinutes(1));
        return asleep ? options.withoutRenewal() : options;
    }

    private void write(Lease held, long balance) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement("update account set balance = ?")) {
                FencedJdbc.check(connection, held); // in the transaction that writes: it decides, not the clock
                update.setLong(1, balance);
                update.executeUpdate();
                connection.commit();
                System.out.println(US + " wrote " + balance);
            } catch (StaleLeaseException e) {
                connection.rollback();
                System.out.println(US + " was refused: " + e.getMessage());
            }
        }
    }

    /** The balance; 100 the first time. */
    private long read() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("create table if not exists account (id integer primary key, balance bigint not null)");
            sql.execute("insert into account (id, balance) values (4711, 100) on conflict do nothing");
            try (ResultSet row = sql.executeQuery("select balance from account")) {
                row.next();
                return row.getLong("balance");
            }
        }
    }
}
