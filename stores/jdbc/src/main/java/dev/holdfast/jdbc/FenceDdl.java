package dev.holdfast.jdbc;

import dev.holdfast.jdbc.fence.FenceDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The statements that prepare a table for tokens. They are only made, not run: put them into your migrations.
 *
 * <p>Tables are named as the database spells them (PostgreSQL: in lower case, unless created in quotes), with or without their
 * schema: {@code orders}, {@code shop.orders}.
 */
public enum FenceDdl {
    SQLITE('"') {
        @Override
        List<String> trigger(Table table) {
            return List.of("create trigger " + table.sibling("holdfast_fence_" + table.name) + " before update on "
                    + quoted(table.name) + " for each row when new.fence < old.fence begin"
                    + " select raise(abort, '" + table.refusal() + "'); end");
        }
    },

    POSTGRESQL('"') {
        @Override
        List<String> trigger(Table table) {
            String function = table.sibling("holdfast_refuse_stale");
            return List.of(
                    "create or replace function " + function + "() returns trigger language plpgsql as $$ begin"
                            + " if new.fence < old.fence then"
                            + " raise exception using errcode = '" + SQL_STATE + "', message ="
                            + " format('Stale lease: a later holder of the lock has written this row of %s"
                            + " (token %s, yours is %s); roll back', tg_table_name, old.fence, new.fence);"
                            + " end if; return new; end $$",
                    "create trigger holdfast_fence before update on " + table.quoted()
                            + " for each row execute function " + function + "()");
        }
    },

    /** MariaDB and MySQL. */
    MARIADB('`') {
        @Override
        List<String> trigger(Table table) {
            return List.of("create trigger " + table.sibling("holdfast_fence_" + table.name) + " before update on "
                    + table.quoted() + " for each row if new.fence < old.fence then"
                    + " signal sqlstate '" + SQL_STATE + "' set message_text = '" + table.refusal() + "'; end if");
        }
    };

    /** What the trigger's refusal has as SQLSTATE, where the database lets it choose: "unhandled user-defined exception". */
    public static final String SQL_STATE = "45000";

    /** With the prefix of a trigger's name it stays within the 63 characters of PostgreSQL, the least of all. */
    private static final int MAX_NAME = 48;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final char quote;

    FenceDdl(char quote) {
        this.quote = quote;
    }

    /**
     * The statements for the database of this connection.
     *
     * @throws IllegalStateException if it is none of these
     */
    public static FenceDdl of(Connection connection) throws SQLException {
        return valueOf(FenceDialect.of(connection).name());
    }

    /** Adds the column {@code fence} that {@link FencedUpdate} sets and compares. */
    public List<String> addColumn(String table) {
        return List.of("alter table " + table(table).quoted() + " add column fence bigint not null default 0");
    }

    /**
     * Adds a trigger that refuses every update which would lower the fence, whoever sends it: for programs that set {@code fence =
     * token} but do not compare. The column must be there. An update that leaves the fence as it is passes, so each
     * statement has to set it.
     */
    public List<String> addTrigger(String table) {
        return trigger(table(table));
    }

    abstract List<String> trigger(Table table);

    String quoted(String name) {
        return quote + name + quote;
    }

    private Table table(String name) {
        String[] parts = name.split("\\.", -1);
        for (String part : parts) {
            if (parts.length > 2
                    || part.length() > MAX_NAME
                    || !NAME.matcher(part).matches()) {
                throw new IllegalArgumentException(
                        "table '" + name + "' must be a name or schema.name, each of at most " + MAX_NAME
                                + " letters, digits and _, not beginning with a digit");
            }
        }
        return parts.length == 1 ? new Table(this, "", parts[0]) : new Table(this, quoted(parts[0]) + ".", parts[1]);
    }

    /** A table whose name was checked. */
    record Table(FenceDdl ddl, String schema, String name) {
        String quoted() {
            return sibling(name);
        }

        /** Something else in the same schema. */
        String sibling(String other) {
            return schema + ddl.quoted(other);
        }

        /** At most 128 characters, else MariaDB refuses it. */
        String refusal() {
            return "Stale lease: a later holder has written this row of " + name + "; roll back";
        }
    }
}
