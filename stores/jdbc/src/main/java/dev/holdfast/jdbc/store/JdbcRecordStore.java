package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.FencedTokenRows;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.time.StoreClock;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Records as rows of {@code holdfast_lock}, events as rows of {@code holdfast_event}, in the database of a {@link Dialect}.
 *
 * <pre>
 *   read    select … where namespace = ? and name = ?
 *   write   one transaction: the dialect's conditional insert, update or delete of each row, the events, commit
 *   scan    select … where … and (namespace, name) &gt; (?, ?) order by namespace, name limit ?
 *   events  select … from holdfast_event where … order by number limit ?
 *   forget  delete from holdfast_event where number &lt;= ? and at &lt; ?
 * </pre>
 *
 * <p>All work is done on the calling thread. Reading, listing (with history) and writing have connections of their own, so
 * that none delays another.
 */
public sealed class JdbcRecordStore implements RecordStore, EventLog, FencedTokens permits WatchableJdbcStore {
    private final Dialect dialect;
    private final LockRows locks;
    private final EventRows events;
    /** For tests that change the connection. */
    public final Lanes writers;

    private final Lanes reader;
    private final Lanes lister;
    private final Runnable beforeClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A store that writes through these lanes, reads through that one, and before its end runs {@code beforeClose}. */
    public JdbcRecordStore(Dialect dialect, Lanes writers, Lanes reader, Runnable beforeClose) {
        this.dialect = dialect;
        this.writers = writers;
        this.reader = reader;
        this.beforeClose = beforeClose;
        this.lister = Lanes.ofNone(dialect.database(), ConnectionRole.LISTER, 1);
        this.locks = new LockRows(dialect.times(), dialect.findsRowsByComparison());
        this.events = new EventRows(dialect.times(), dialect.label(), dialect.history());
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return stage(() -> reader.run("reading lock '" + key.name() + "'", session -> locks.read(session, key)));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        if (writes.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return stage(() -> writers.run("writing", session -> dialect.write(session, writes)));
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return stage(() -> lister.run("listing locks", session -> locks.scan(session, request)));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(EventQuery query) {
        return stage(() -> lister.run("reading the history", session -> events.find(session, query)));
    }

    @Override
    public CompletionStage<Void> importAll(List<StoredEvent> imported) {
        if (imported.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return change("importing events", session -> dialect.importEvents(session, imported));
    }

    @Override
    public CompletionStage<Integer> forget(Instant before, int limit) {
        return stage(() -> {
            long last = lister.run("reading the history", session -> events.oldest(session, limit));
            return writers.run("forgetting old events", session -> {
                int gone = events.forget(session, last, before);
                session.commit();
                return gone;
            });
        });
    }

    @Override
    public CompletionStage<List<FencedToken>> fencedTokens(Optional<FencedToken> after, int limit) {
        return stage(() -> lister.run("reading the fence", session -> FencedTokenRows.page(session, after, limit)));
    }

    @Override
    public CompletionStage<Void> raiseFencedTokens(List<FencedToken> tokens) {
        return change("raising the fence", session -> FencedTokenRows.raise(session, dialect.raiseFence(), tokens));
    }

    private interface SqlChange {
        void make(Session session) throws SQLException;
    }

    private CompletionStage<Void> change(String doing, SqlChange change) {
        return stage(() -> writers.run(doing, session -> {
                    change.make(session);
                    return true;
                }))
                .thenApply(done -> null);
    }

    /** Stores fail their stage; they do not throw. */
    private static <T> CompletionStage<T> stage(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public StoreClock clock() {
        return dialect.clock();
    }

    @Override
    public StoreTraits traits() {
        return dialect.traits();
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        beforeClose.run();
        lister.close();
        reader.close();
        writers.close();
        dialect.closed();
    }
}
