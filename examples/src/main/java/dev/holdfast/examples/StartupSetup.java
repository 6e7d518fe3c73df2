package dev.holdfast.examples;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Once;
import dev.holdfast.model.Done;
import dev.holdfast.model.LockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Many processes start at once and one does the set-up. The same guards a schema migration, a bulk import or a change of
 * configuration.
 *
 * <pre>
 *   StartupSetup [wait|skip|check] [generation]
 *     wait    whoever is not first waits until the set-up is complete (the default)
 *     skip    whoever is not first starts without it
 *     check   only says whether it was completed, by whom and when
 * </pre>
 *
 * <p>{@code SETUP_LEASE}: how long the others wait for a process that died in the middle. {@code SETUP_STEP}: how long the
 * set-up pretends to work on each policy.
 */
public final class StartupSetup {
    private static final LockKey SETUP = LockKey.of("default", "policy_setup");
    private static final List<String> POLICIES = List.of("read", "write", "delete", "export", "admin");
    private static final String US = ClientConfig.DEFAULT.owner();

    private final Database database = Database.fromEnvironment();
    private final String generation;

    private StartupSetup(String generation) {
        this.generation = generation;
    }

    /** Runs one of the processes. */
    public static void main(String[] args) throws Exception {
        String mode = args.length > 0 ? args[0] : "wait";
        StartupSetup start = new StartupSetup(args.length > 1 ? args[1] : "v42");
        try (LockClient locks = LockClient.connect(start.database.url())) {
            switch (mode) {
                case "wait" -> start.run(locks, Duration.ofMinutes(5));
                case "skip" -> start.run(locks, Duration.ZERO);
                case "check" -> System.out.println(start.verdict(locks));
                default -> throw new IllegalArgumentException("mode must be wait, skip or check, was '" + mode + "'");
            }
        }
    }

    private void run(LockClient locks, Duration patience) throws Exception {
        Duration lease = Env.duration("SETUP_LEASE", Duration.ofSeconds(30));
        Once once = locks.runOnce(SETUP, generation, o -> o.waitUpTo(patience).lease(lease), this::setUp);
        String told = once.fold(
                ran -> US + " did it",
                done -> US + " skips it, it is complete",
                running -> US + " starts without it, " + who(running.holders()) + " is still at it",
                lost -> US + " did it, but lost the lock (" + lost.reason() + "): the next one does it again");
        System.out.println(told);
        System.out.println(verdict(locks));
    }

    private static String who(List<Holder> holders) {
        return holders.isEmpty() ? "somebody" : holders.get(0).owner(); // nobody, for the instant of a take-over
    }

    /** Completion is kept with the lock, so also those who did not wait can find out later. */
    private String verdict(LockClient locks) {
        Optional<Done> done =
                locks.inspect().get(SETUP).done().filter(d -> d.generation().equals(generation));
        return done.map(d -> "policy_setup " + generation + " was completed by " + d.by() + " at " + d.at())
                .orElse("policy_setup " + generation + " is not complete");
    }

    /** May be cut off anywhere and run again by another process, so each step is written in a way that can be repeated. */
    private int setUp(Lease lease) throws SQLException, InterruptedException {
        System.out.println(US + " sets up policies " + generation);
        try (Connection connection = database.connect()) {
            try (Statement create = connection.createStatement()) {
                create.execute("create table if not exists policy (name text primary key, generation text not null)");
                create.execute("create table if not exists policy_log (generation text, event text, pod text)");
            }
            log(connection, "started");
            for (String policy : POLICIES) {
                lease.ensureValid(); // a process that was paused for too long stops here
                write(connection, policy);
                Thread.sleep(Env.duration("SETUP_STEP", Duration.ofMillis(200)).toMillis());
            }
            log(connection, "finished");
        }
        return POLICIES.size();
    }

    private void write(Connection connection, String policy) throws SQLException {
        try (PreparedStatement upsert =
                connection.prepareStatement("insert into policy (name, generation) values (?, ?)"
                        + " on conflict (name) do update set generation = excluded.generation")) {
            upsert.setString(1, policy);
            upsert.setString(2, generation);
            upsert.executeUpdate();
        }
    }

    private void log(Connection connection, String event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into policy_log values (?, ?, ?)")) {
            insert.setString(1, generation);
            insert.setString(2, event);
            insert.setString(3, US);
            insert.executeUpdate();
        }
    }
}
