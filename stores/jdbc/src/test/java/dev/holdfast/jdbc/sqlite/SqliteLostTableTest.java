package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.LostTableCases;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.spi.RecordStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("lost tables in SQLite")
class SqliteLostTableTest extends LostTableCases {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("locks.db");
    }

    @Override
    public RecordStore open() {
        return SqliteStore.open(file(), SqliteConfig.shared());
    }

    @Override
    public SqlSchema schema() {
        return SqlSchema.of("sqlite:" + file());
    }

    @Override
    public void sql(String statement) throws SQLException {
        Locks.sql(file(), statement);
    }

    @Override
    public List<String> query(String sql) throws SQLException {
        return Locks.query(file(), sql);
    }

    @Override
    public void lose(String table) throws SQLException {
        sql("drop table " + table);
    }

    @Override
    public void makeOld() throws SQLException {
        sql("delete from holdfast_meta where key = 'views'");
    }
}
