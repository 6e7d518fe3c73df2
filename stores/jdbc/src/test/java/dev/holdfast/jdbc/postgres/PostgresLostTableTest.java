package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.LostTableCases;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.spi.RecordStore;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lost tables in PostgreSQL")
class PostgresLostTableTest extends LostTableCases {
    private String url = "";

    @BeforeEach
    void schemaOfItsOwn() {
        url = Postgres.newest().freshSchema();
    }

    @Override
    public RecordStore open() {
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    @Override
    public SqlSchema schema() {
        return SqlSchema.of(url);
    }

    @Override
    public void sql(String statement) throws SQLException {
        Postgres.sql(url, statement);
    }

    @Override
    public List<String> query(String sql) throws SQLException {
        return Postgres.query(url, sql);
    }

    @Override
    public void lose(String table) throws SQLException {
        sql("drop table " + table + " cascade");
    }

    @Override
    public void makeOld() throws SQLException {
        sql("delete from holdfast_meta where key = 'views'");
        sql("create view mine as select lock_name from database_lock"); // what others built on it goes on
    }

    @Override
    public String oldView() {
        return "create view database_lock as select id / 1000 as id,"
                + " coalesce(metadata ->> 'label', case namespace when 'default' then name"
                + " else namespace || ':' || name end) as lock_name,"
                + " owner as process_id, acquired_at, expires_at"
                + " from holdfast_holder where mode = 'exclusive' and path = '' and false";
    }

    @Test
    @DisplayName("views that cannot be replaced, because somebody changed them, hinder no start")
    void changedViews() throws SQLException {
        open().close();
        sql("drop view database_lock");
        sql("create view database_lock as select name as lock_name from holdfast_lock");
        sql("delete from holdfast_meta where key = 'views'");
        open().close();
        assertThat(query("select lock_name from database_lock")).isEmpty();
    }
}
