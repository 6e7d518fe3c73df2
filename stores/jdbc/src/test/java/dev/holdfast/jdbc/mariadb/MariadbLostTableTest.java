package dev.holdfast.jdbc.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.LostTableCases;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.spi.RecordStore;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lost tables in MariaDB")
class MariadbLostTableTest extends LostTableCases {
    private String database = "";

    @BeforeEach
    void databaseOfItsOwn() {
        database = Mariadb.server().freshDatabase();
    }

    @Override
    public RecordStore open() {
        return MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
    }

    @Override
    public SqlSchema schema() {
        return SqlSchema.of(Mariadb.server().url(database));
    }

    @Override
    public void sql(String statement) {
        Mariadb.server().sql(database, statement);
    }

    @Override
    public List<String> query(String sql) throws SQLException {
        return Mariadb.query(database, sql);
    }

    @Override
    public void lose(String table) {
        sql("drop table " + table);
    }

    @Override
    public void makeOld() {
        sql("delete from holdfast_meta where name = 'views'");
    }

    @Test
    @DisplayName("an index that was dropped is made anew")
    void index() {
        open().close();
        sql("drop index holdfast_lock_busy on holdfast_lock");
        assertThat(schema().repair()).singleElement().asString().contains("holdfast_lock_busy");
        assertThat(schema().repair()).isEmpty();
    }
}
