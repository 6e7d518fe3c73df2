package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.EngineId;
import dev.holdfast.spi.Watchable;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection that listens for the whole process. When it breaks it is opened again; what was missed meanwhile is found
 * by those who wait, because they also look from time to time.
 */
record PostgresListener(PostgresConnections connections, PostgresChannels channels) implements Watchable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);

    /** How long it listens before it looks whether it should end. */
    private static final int SLICE_MILLIS = 100;
    /** After so long a silence it asks whether there still is a server. */
    private static final int SILENT_SLICES = 100;
    /** How long start and end wait for it: enough for a connection, a slice and a statement. */
    private static final int PATIENCE_MILLIS = 2_000;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 5_000;
    /** While the server is crowded: each look takes a connection for a moment. */
    private static final long MAX_CROWDED_PAUSE_MILLIS = 60_000;
    /** Fewer than five left for those who are no superusers. */
    private static final String CROWDED = "select current_setting('max_connections')::bigint"
            + " - current_setting('superuser_reserved_connections')::bigint - count(*) < 5"
            + " from pg_stat_activity where datid is not null";

    /**
     * Whether the server has hardly a connection left. Listening only makes waiting shorter, and the last ones are for those who
     * have work to do: of many processes that wait for one, they must not take the connection the one needs.
     */
    private static boolean isCrowded(Session session) throws SQLException {
        return session.first(CROWDED, row -> row.getBoolean(1)).orElse(false);
    }

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        Listening listening = new Listening(engine, heard);
        listening.start();
        listening.awaitFirstTry();
        return listening;
    }

    private final class Listening extends Thread implements Watch {
        private final EngineId engine;
        private final Consumer<Hint> heard;
        private final CountDownLatch tried = new CountDownLatch(1);
        private volatile boolean ended;

        Listening(EngineId engine, Consumer<Hint> heard) {
            super("holdfast-listen");
            setDaemon(true);
            this.engine = engine;
            this.heard = heard;
        }

        @Override
        public void run() {
            long pause = FIRST_PAUSE_MILLIS;
            long crowdedPause = 0;
            while (!ended) {
                try {
                    Session session = connections.connect(ConnectionRole.READER);
                    try {
                        if (isCrowded(session)) {
                            if (crowdedPause == 0) { // once for each time it turns off
                                LOG.info("The server has hardly any connections left, so until it has more, waiting"
                                        + " callers are not notified and check once a second");
                            }
                            crowdedPause =
                                    Math.max(MAX_PAUSE_MILLIS, Math.min(2 * crowdedPause, MAX_CROWDED_PAUSE_MILLIS));
                        } else {
                            session.execute("listen \"" + channels.common() + "\"");
                            session.execute("listen \"" + channels.of(engine) + "\"");
                            pause = FIRST_PAUSE_MILLIS;
                            crowdedPause = 0;
                            tried.countDown();
                            listen(session);
                        }
                    } finally {
                        session.close();
                    }
                    if (!ended) { // it was too crowded to stay
                        tried.countDown();
                        pause(crowdedPause);
                    }
                } catch (SQLException | RuntimeException e) {
                    tried.countDown();
                    if (!ended) {
                        if (pause == FIRST_PAUSE_MILLIS) { // once for each time it breaks
                            LOG.warn(
                                    "Until it works again waiting callers are not notified, and check once a second:"
                                            + " {}",
                                    e.getMessage());
                        }
                        pause(pause);
                        pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
                    }
                }
            }
        }

        /** What happens after this, it hears, if the server can be reached. */
        void awaitFirstTry() {
            try {
                if (!tried.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    LOG.debug("the connection that listens takes its time; going on without");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void listen(Session session) throws SQLException {
            PGConnection connection = session.connection().unwrap(PGConnection.class);
            int silent = 0;
            while (!ended) {
                PGNotification[] told = connection.getNotifications(SLICE_MILLIS);
                if (told != null && told.length > 0) {
                    silent = 0;
                    tell(told);
                } else if (++silent == SILENT_SLICES) {
                    silent = 0;
                    session.execute("select 1"); // a server that is gone does not say so
                }
            }
            session.execute("unlisten *"); // the caller's pool gets it back
        }

        private void tell(PGNotification[] told) {
            for (PGNotification one : told) {
                if (!connections.isOurs(one.getPID())) {
                    PostgresChannels.read(one.getParameter()).ifPresent(heard);
                }
            }
        }

        private void pause(long millis) {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                ended = true; // nobody but close interrupts it
            }
        }

        @Override
        public void close() {
            ended = true;
            interrupt();
            try {
                join(PATIENCE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
