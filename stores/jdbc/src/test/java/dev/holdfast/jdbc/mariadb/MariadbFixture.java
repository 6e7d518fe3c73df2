package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.ServerFixture;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Watchable;
import dev.holdfast.testkit.fixture.SettledStore;
import dev.holdfast.testkit.servers.MariadbServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A database of its own on a real server. */
final class MariadbFixture extends ServerFixture {
    private final UnaryOperator<RecordStore> opened;
    private final String url;

    private MariadbFixture(MariadbServer server, String database, UnaryOperator<RecordStore> opened)
            throws SQLException {
        super(server.port(), server.connect(database), "datetime(6)");
        this.opened = opened;
        this.url = MariadbServer.url(line.port(), database);
    }

    /** The store as it is. */
    static MariadbFixture plain() throws SQLException {
        return new MariadbFixture(Mariadb.server(), Mariadb.server().freshDatabase(), store -> store);
    }

    /** The store for clients that wait for each other. */
    static MariadbFixture told() throws SQLException {
        List<Watchable.Listener> listeners = new CopyOnWriteArrayList<>();
        return new MariadbFixture(
                Mariadb.server(), Mariadb.server().freshDatabase(), store -> SettledStore.of(store, listeners));
    }

    @Override
    protected String text(Instant time) {
        return Utc.text(time);
    }

    @Override
    public RecordStore open() {
        ConnectionSettings settings = Mariadb.settings(MariadbConfig.DEFAULT.withTime(clock));
        return opened.apply(
                timed(new MariadbDatabase(MariadbDriver.source(url, settings), url, settings, NOW).locks()));
    }
}
