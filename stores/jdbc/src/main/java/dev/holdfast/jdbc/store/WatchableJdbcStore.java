package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.model.EngineId;
import dev.holdfast.spi.Watchable;
import java.util.function.Consumer;

/** A JDBC store whose database can tell of changes. */
public final class WatchableJdbcStore extends JdbcRecordStore implements Watchable {
    private final Watchable source;

    public WatchableJdbcStore(Dialect dialect, Lanes writers, Lanes reader, Runnable beforeClose, Watchable source) {
        super(dialect, writers, reader, beforeClose);
        this.source = source;
    }

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        return source.watch(engine, heard);
    }
}
