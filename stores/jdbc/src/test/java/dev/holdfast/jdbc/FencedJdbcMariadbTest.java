package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("transactions that check their lease, in MariaDB")
class FencedJdbcMariadbTest extends FenceCases {
    private final String database = Mariadb.server().freshDatabase();

    @Override
    RecordStore open() {
        return MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
    }

    @Override
    Connection connect() throws SQLException {
        Connection connection = Mariadb.server().connect(database);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return connection;
    }

    @Override
    Connection connectElsewhere() throws SQLException {
        Connection connection = Mariadb.server().connect(Mariadb.server().freshDatabase());
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return connection;
    }

    @Override
    boolean sideBySide() {
        return true;
    }
}
