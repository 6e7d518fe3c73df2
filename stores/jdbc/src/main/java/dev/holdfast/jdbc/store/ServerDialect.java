package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.jdbc.connection.ServerConnections;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** A database server that many processes use: its clock counts, and any of them may have locked a row. */
public abstract class ServerDialect implements Dialect {
    /** What comes while a batch is under way makes the next one larger, and every call has its price. */
    protected static final int WRITERS = 1;
    /** Few writes go each on its own connection: the server makes their commits durable together by itself. */
    private static final int SINGLES = 4;
    /** The same with connections of the caller's pool, which others need too. */
    private static final int SHARED_SINGLES = 2;

    private final ServerConnections connections;
    private final Batch batch;
    private final StoreTraits traits;

    protected ServerDialect(ServerConnections connections, Batch batch, StoreTraits traits) {
        this.connections = connections;
        this.batch = new LockedRows(connections.failures(), batch);
        this.traits = traits.withSingles(connections.source().isShared() ? SHARED_SINGLES : SINGLES);
    }

    /**
     * The store, with the connection it cannot do without opened. It stays: who holds a lock must not have to ask a crowded
     * server for one before it can renew. The rest is opened when it is needed, and closed when it is not.
     */
    public RecordStore open(Optional<Watchable> watchable) {
        int most = traits.singles() + (readsWhereItWrites() ? 2 : 1);
        Lanes writers = Lanes.of(connections, ConnectionRole.WRITER, 1, most);
        Lanes reader = readsWhereItWrites() ? writers : Lanes.of(connections, ConnectionRole.READER, 1, 1);
        connections.clock().readThrough(reader);
        try {
            writers.open();
            reader.open();
        } catch (RuntimeException e) {
            writers.close();
            reader.close();
            throw e;
        }
        return watchable.isPresent()
                ? new WatchableJdbcStore(this, writers, reader, () -> {}, watchable.get())
                : new JdbcRecordStore(this, writers, reader, () -> {});
    }

    /** Whether connections of both roles are the same, so that one does for both while there is little to do. */
    protected boolean readsWhereItWrites() {
        return false;
    }

    @Override
    public SqlDatabase database() {
        return connections;
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        return batch.write(session, writes);
    }

    @Override
    public StoreClock clock() {
        return connections.clock().measured();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }
}
