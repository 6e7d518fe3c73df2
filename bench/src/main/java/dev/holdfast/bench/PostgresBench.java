package dev.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.testkit.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/** The engine on PostgreSQL with fsync on, beside {@link RawUpserts} through pools of the same kind, in turns. */
record PostgresBench(Report report, Duration time) {
    private static final int[] CALLERS = {1, 8, 32, 128};
    private static final Duration WARM_UP = Duration.ofMinutes(1);

    /** Starts a server of its own and measures everything on it. */
    void run() throws Exception {
        try (PostgresServer server = PostgresServer.builder()
                .durable()
                .with("shared_buffers", "256MB")
                .with("max_wal_size", "4GB")
                .start()) {
            String jdbc = "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres";
            throughput(jdbc);
            new HandOver(report, time).measure(server.url("postgres"), jdbc);
            new TableSize(report, time).measure(jdbc);
            report.note("");
            try (HikariDataSource pool = RawUpserts.pool(jdbc, 16);
                    LockClient locks = client(pool, true)) {
                new HeldLeases(report, time).measure(locks, "postgresql", "0.5");
            }
            report.note("");
        }
    }

    private void throughput(String jdbc) throws Exception {
        try (RawUpserts raw16 = new RawUpserts(jdbc, 16);
                RawUpserts raw32 = new RawUpserts(jdbc, 32);
                HikariDataSource pool = RawUpserts.pool(jdbc, 16);
                LockClient quiet = client(pool, false);
                LockClient logged = client(pool, true)) {
            List<IntFunction<Load.Cycle>> loads =
                    List.of(raw16.load(), raw32.load(), Load.locks(quiet), Load.locks(logged));
            warmUp(loads);
            double best = 0;
            for (int callers : CALLERS) {
                List<Load.Rate> rates = Load.inTurns(loads, callers, time);
                line("raw upserts, pool of 16", callers, rates.get(0));
                line("raw upserts, pool of 32", callers, rates.get(1));
                line("postgresql, history off", callers, rates.get(2));
                line("postgresql, history on", callers, rates.get(3));
                double raw = Math.max(rates.get(0).cycles(), rates.get(1).cycles());
                best = Math.max(best, raw);
                String off = callers == 1 ? "0.85 or more" : "none";
                String on = callers == 1 ? "0.75 or more" : callers == 128 ? "3 or more" : "none";
                report.ratio("history off / raw, " + callers, rates.get(2).cycles() / raw, off);
                report.ratio("history on / raw, " + callers, rates.get(3).cycles() / (callers == 128 ? best : raw), on);
                report.note("");
            }
        }
    }

    /** On few cores the compiler takes its share from everything else for the better part of a minute. */
    private void warmUp(List<IntFunction<Load.Cycle>> loads) throws Exception {
        report.note("warming up for a minute");
        for (int round = 0; round < 3; round++) {
            for (int callers : CALLERS) {
                Load.inTurns(loads, callers, Duration.ofMillis(WARM_UP.toMillis() / 3 / CALLERS.length / loads.size()));
            }
        }
    }

    private static LockClient client(HikariDataSource pool, boolean history) {
        ClientConfig config =
                ClientConfig.DEFAULT.withNamespace(history ? "logged" : "quiet").withHistory(history);
        return LockClient.on(PostgresStore.open(pool, PostgresConfig.DEFAULT), config);
    }

    private void line(String what, int callers, Load.Rate rate) {
        report.line(
                what + ", " + callers + (callers == 1 ? " caller" : " callers"),
                rate.cycles(),
                "cycles/s," + rate.times());
    }
}
