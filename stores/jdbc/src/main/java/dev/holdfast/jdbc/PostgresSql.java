package dev.holdfast.jdbc;

import dev.holdfast.model.LockRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that write records, each with its condition, its events and its notification, in one round trip.
 *
 * <p>A single record has a plain form, which is faster. Several go as arrays, one per column, in key order. What is to be
 * compared travels in the columns {@code replaces} and {@code newcomer}: an upsert sees no other values of the row it
 * was asked to write. The condition is judged twice. First on what the statement saw when it began: most refusals end there,
 * and write nothing. Then on the row as it is when it has been locked, which is the one that counts.
 *
 * <p>One gap is known and harmless: a row deleted between these two is made anew by a write that expected its last stamp. Only
 * idle records past their retention are deleted, so what is made is what the same command makes of no record at all.
 */
final class PostgresSql {
    /** A column: its name, and its type where a text or number has to be converted to it. */
    private record Column(String name, String type) {
        String cast(String value) {
            return type.equals("text") || type.equals("bigint") ? value : "cast(" + value + " as " + type + ")";
        }

        /** The type of its parameters: everything travels as text or as a number. */
        String wire() {
            return List.of("bigint", "integer", "smallint").contains(type) ? "bigint" : "text";
        }
    }

    private static Column column(String name, String type) {
        return new Column(name, type);
    }

    /** In the order of {@link PostgresRow#values}. */
    private static final List<Column> LOCK = List.of(
            column("namespace", "text"),
            column("name", "text"),
            column("stamp", "bigint"),
            column("replaces", "bigint"),
            column("newcomer", "text"),
            column("fence", "bigint"),
            column("format", "integer"),
            column("busy", "smallint"),
            column("owner", "text"),
            column("token", "bigint"),
            column("acquired_at", "timestamptz"),
            column("renewed_at", "timestamptz"),
            column("expires_at", "timestamptz"),
            column("body", "json"),
            column("past", "text"));

    /** In the order of {@link EventRows#values}. */
    private static final List<Column> EVENT = Arrays.stream(EventRows.COLUMNS.split(", ", -1))
            .map(name -> column(
                    name,
                    switch (name) {
                        case "at" -> "timestamptz";
                        case "token", "lasted_us" -> "bigint";
                        case "metadata" -> "json";
                        default -> "text";
                    }))
            .toList();

    private static final List<String> KEY = List.of("namespace", "name");
    private static final List<String> CONDITION = List.of("replaces", "newcomer");

    private static final String STILL_IDLE = "l.busy = 0 and l.format <= " + LockRecord.FORMAT;
    private static final String INSERT = "insert into holdfast_lock as l (" + names(LOCK) + ") ";

    private final String nowSql;

    PostgresSql(String nowSql) {
        this.nowSql = nowSql;
    }

    // ---- one record

    /** Parameters: the columns, then key and expected stamp, then if {@code timed} the time before which it is too early. */
    String update(boolean timed, boolean withEvent) {
        List<Column> set = LOCK.stream()
                .filter(column -> !KEY.contains(column.name()) && !CONDITION.contains(column.name()))
                .toList();
        String sql = "update holdfast_lock as l set "
                + set.stream()
                        .map(column -> column.name() + " = " + column.cast("?"))
                        .collect(Collectors.joining(", "))
                + " where namespace = ? and name = ? and stamp = ?"
                + (timed ? " and " + nowSql + " >= cast(? as timestamptz)" : "")
                + " returning cast(null as text) as past";
        return withEvent ? logged(sql) : sql;
    }

    /** Parameters: the columns, then the key again, then token and mark. */
    String replaceIdle(boolean withEvent) {
        String sql = INSERT
                + "select " + casts(LOCK, "?")
                + " where not exists (select 1 from holdfast_lock where namespace = ? and name = ? and busy = 1)"
                + " on conflict (namespace, name) do update set " + assignments(List.of("past"))
                + " where " + STILL_IDLE + " and l.fence < ? and position(? in l.past) = 0 returning l.past";
        return withEvent ? logged(sql) : sql;
    }

    /** Parameters: the columns. */
    String insert(boolean withEvent) {
        String sql = INSERT + "select " + casts(LOCK, "?")
                + " on conflict (namespace, name) do nothing returning cast(null as text) as past";
        return withEvent ? logged(sql) : sql;
    }

    /** The same, storing one event if it wrote; parameters of the event follow. */
    private static String logged(String write) {
        return "with written as (" + write + "), logged as (insert into holdfast_event (" + names(EVENT) + ") select "
                + casts(EVENT, "?") + " from written) select past from written";
    }

    // ---- several

    /**
     * Parameters: an array for each column, one with times before which it is too early; with events, an array of the stamps
     * they belong to and one for each column; with wake-ups, the channel and an array of stamps.
     */
    String batch(boolean withEvents, boolean withWakes) {
        String sql = "with written as (" + INSERT
                + "select "
                + LOCK.stream().map(column -> column.cast("k." + column.name())).collect(Collectors.joining(", "))
                + " from unnest(" + arrays(LOCK) + ", cast(? as text[])) as k (" + names(LOCK) + ", not_before)"
                + " where case when k.replaces is null"
                + " then coalesce((select h.busy from holdfast_lock h where h.namespace = k.namespace and h.name = k.name), 0) = 0"
                + " else coalesce((select h.stamp from holdfast_lock h where h.namespace = k.namespace and h.name = k.name), 0) = k.replaces end"
                + " and (k.not_before is null or " + nowSql + " >= cast(k.not_before as timestamptz))"
                + " on conflict (namespace, name) do update set "
                + assignments(List.of("past"))
                + ", past = case when excluded.replaces is null then l.past else excluded.past end"
                + " where case when excluded.replaces is null then " + STILL_IDLE
                + " and l.fence < excluded.fence and position(excluded.newcomer in l.past) = 0"
                + " else l.stamp = excluded.replaces end"
                + " returning l.namespace, l.name, l.stamp, l.replaces, l.past)";
        if (withEvents) {
            sql += ", logged as (insert into holdfast_event (" + names(EVENT) + ") select "
                    + EVENT.stream()
                            .map(column -> column.cast("e." + column.name()))
                            .collect(Collectors.joining(", "))
                    + " from unnest(cast(? as bigint[]), " + arrays(EVENT) + ") with ordinality as e (stamp, "
                    + names(EVENT) + ", place) join written w on w.stamp = e.stamp order by e.place)";
        }
        return withWakes
                ? sql + " select w.stamp, case when w.replaces is null then w.past end,"
                        + " case when w.stamp = any (cast(? as bigint[])) then pg_notify(?, w.namespace || '"
                        + PostgresListener.BETWEEN + "' || w.name) end from written w"
                : sql + " select w.stamp, case when w.replaces is null then w.past end from written w";
    }

    /** Parameters: arrays of namespaces, names and stamps. */
    static final String DELETE = "delete from holdfast_lock l using unnest(cast(? as text[]), cast(? as text[]),"
            + " cast(? as bigint[])) as k (namespace, name, stamp)"
            + " where l.namespace = k.namespace and l.name = k.name and l.stamp = k.stamp returning l.stamp";

    /** Parameters: arrays of namespaces and names. */
    static final String READ = "select l.namespace, l.name, l.stamp, l.fence, l.body, l.past"
            + " from unnest(cast(? as text[]), cast(? as text[])) as k (namespace, name)"
            + " cross join lateral (select * from holdfast_lock h"
            + " where h.namespace = k.namespace and h.name = k.name offset 0) as l";

    // ---- the parts

    static List<Boolean> lockNumbers() {
        return numbers(LOCK);
    }

    static List<Boolean> eventNumbers() {
        return numbers(EVENT);
    }

    private static List<Boolean> numbers(List<Column> columns) {
        return columns.stream().map(column -> column.wire().equals("bigint")).toList();
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private static String casts(List<Column> columns, String value) {
        return columns.stream()
                .map(column -> "cast(" + value + " as " + column.type() + ")")
                .collect(Collectors.joining(", "));
    }

    private static String arrays(List<Column> columns) {
        return columns.stream()
                .map(column -> "cast(? as " + column.wire() + "[])")
                .collect(Collectors.joining(", "));
    }

    private static String assignments(List<String> except) {
        List<String> kept = new ArrayList<>(KEY);
        kept.addAll(except);
        return LOCK.stream()
                .map(Column::name)
                .filter(name -> !kept.contains(name))
                .map(name -> name + " = excluded." + name)
                .collect(Collectors.joining(", "));
    }
}
