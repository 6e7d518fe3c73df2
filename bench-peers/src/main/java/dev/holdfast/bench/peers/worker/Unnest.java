package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.RawUpserts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * PostgreSQL's own limit for locks in one table: many of them taken by one statement over {@code unnest}, and given back by another. The
 * words are how many rows, how many connections, and milliseconds to warm up and to measure.
 */
record Unnest(Task task) {
    private static final String TAKE =
            "insert into raw_lock (name, owner, expires_at) select name, 'unnest', now() + interval '30 s' from unnest(?) name"
                    + " on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at"
                    + " where raw_lock.expires_at < now()";
    private static final String GIVE =
            "update raw_lock set expires_at = now() from unnest(?) wanted where raw_lock.name = wanted and owner = 'unnest'";

    void run() throws Exception {
        RawUpserts.onPostgres(task.address(), 1).close(); // its table
        int rows = task.number(0);
        int connections = task.number(1);
        Loop loop = new Loop(task.servers());
        Connection[] each = new Connection[connections];
        for (int i = 0; i < connections; i++) {
            each[i] = DriverManager.getConnection(task.address());
        }
        loop.run("-", connections, Duration.ofMillis(task.number(2)), i -> () -> cycle(each[i], i, rows));
        Figures batches = loop.run(
                connections + (connections == 1 ? " connection" : " connections"),
                connections,
                Duration.ofMillis(task.number(3)),
                i -> () -> cycle(each[i], i, rows));
        // A cycle of the others is one lock; here it is one of many that are done at once.
        batches.with(Figures.RATE, batches.value(Figures.RATE) * rows)
                .with(Figures.CLIENT, batches.value(Figures.CLIENT) / rows)
                .with(Figures.SERVER, batches.value(Figures.SERVER) / rows)
                .print();
    }

    private static void cycle(Connection connection, int number, int rows) throws SQLException {
        Object[] names = IntStream.range(0, rows)
                .mapToObj(row -> "unnest-" + number + "-" + row)
                .toArray();
        execute(connection, TAKE, names);
        execute(connection, GIVE, names);
    }

    private static void execute(Connection connection, String sql, Object[] names) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("text", names));
            if (statement.executeUpdate() != names.length) {
                throw new IllegalStateException("some rows were not free");
            }
        }
    }
}
