package dev.holdfast.jdbc.postgres;

import dev.holdfast.model.LockRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The statements that write records, each with its condition, its events and its notification, in one round trip.
 *
 * <p>A single record has a plain form, which is faster. Several go as arrays, one per column, in key order: those that
 * expect a stamp to an update, those that expect no record or an idle one to an upsert. An upsert sees nothing of the row it
 * was asked to write but its columns, so the mark it compares travels in the column {@code newcomer}; where that is null, there
 * must be no record. Its condition is judged twice. First on what the statement saw when it began: most refusals end there,
 * and write nothing. Then on the row as it is when it has been locked, which is the one that counts.
 */
record PostgresSql(String nowSql) {
    /** A column: its name, and its type where a text or number has to be converted to it. */
    private record Column(String name, String type) {
        String cast(String value) {
            return switch (type) {
                case "text", "bigint" -> value;
                case "timestamptz" -> "timestamptz 'epoch' + " + value + " * interval '1 microsecond'";
                default -> "cast(" + value + " as " + type + ")";
            };
        }

        /** The same of a parameter. */
        String parameter() {
            return type.equals("timestamptz") ? cast("cast(? as bigint)") : "cast(? as " + type + ")";
        }

        /** The type of its parameters: everything travels as text or as a number, times in microseconds since 1970. */
        String wire() {
            return List.of("bigint", "integer", "smallint", "timestamptz").contains(type) ? "bigint" : "text";
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
            column("newcomer", "text"),
            column("fence", "bigint"),
            column("format", "integer"),
            column("busy", "smallint"),
            column("body", "json"),
            column("past", "text"));

    /** In the order of {@link PostgresRow#event}. */
    private static final List<Column> EVENT = List.of(
            column("at", "timestamptz"),
            column("type", "text"),
            column("namespace", "text"),
            column("name", "text"),
            column("detail", "json"),
            column("metadata", "json"));

    /** Which columns travel as numbers. */
    static final List<Boolean> LOCK_NUMBERS = numbers(LOCK);

    static final List<Boolean> EVENT_NUMBERS = numbers(EVENT);

    /** What travels of a record that is updated: all but the condition that only an insert can carry. */
    static final List<Integer> UPDATED = List.of(0, 1, 2, 4, 5, 6, 7, 8);

    /** What travels of its event with it: all but the key, which is the same. */
    static final List<Integer> CARRIED = List.of(0, 1, 4, 5);

    private static final List<String> KEY = List.of("namespace", "name");
    private static final List<String> CONDITION = List.of("newcomer");

    private static final String STILL_IDLE = "l.busy = 0 and l.format <= " + LockRecord.FORMAT;
    private static final String INSERT = "insert into holdfast_lock as l (" + names(LOCK) + ") ";

    // ---- one record

    /** Most events that a single record is written with. */
    static final int MOST_EVENTS = 4;

    /**
     * Answers with a count: of events, if there are any. Parameters: the columns, then key and expected stamp, then if {@code timed} the
     * time before which it is too early; then of each event.
     */
    String update(boolean timed, boolean withPast, int events) {
        String sql = "update holdfast_lock as l set "
                + changing()
                        .filter(column -> withPast || !column.name().equals("past"))
                        .map(column -> column.name() + " = " + column.cast("?"))
                        .collect(Collectors.joining(", "))
                + " where namespace = ? and name = ? and stamp = ?"
                + (timed ? " and " + nowSql + " >= cast(? as timestamptz)" : "");
        return events == 0 ? sql : "with written as (" + sql + " returning 1) " + log(events);
    }

    /**
     * The same, telling others if it wrote; else it answers with the record as it was when the statement began. Whoever hands a lock
     * over to another process is often refused, since others come to wait meanwhile, and then need not ask what is there.
     * Parameters: of the update, channel and payload, the key again.
     */
    String updateAndTell(boolean timed, boolean withPast, int events) {
        return "with written as (" + update(timed, withPast, 0) + " returning 1)"
                + (events == 0 ? "" : ", logged as (" + log(events) + ")")
                + " select cast(pg_notify(?, ?) as text), null, null, null, null, null from written union all"
                + " select namespace, name, stamp, fence, cast(body as text), past from holdfast_lock"
                + " where not exists (select 1 from written) and namespace = ? and name = ?";
    }

    /**
     * Answers with what the record remembers, or with nothing. Parameters: the columns, then the key again, then token and
     * mark; then of each event.
     */
    String replaceIdle(int events) {
        String sql = INSERT
                + "select " + casts(LOCK)
                + " where not exists (select 1 from holdfast_lock where namespace = ? and name = ? and busy = 1)"
                + " on conflict (namespace, name) do update set " + assignments(List.of("past"))
                + " where " + STILL_IDLE + " and l.fence < ? and position(? in l.past) = 0 returning l.past";
        return events == 0
                ? sql
                : "with written as (" + sql + "), logged as (" + log(events) + ") select past from written";
    }

    /** Answers with a count: of events, if there are any. Parameters: the columns; then of each event. */
    String insert(int events) {
        String sql = INSERT + "select " + casts(LOCK) + " on conflict (namespace, name) do nothing";
        return events == 0 ? sql : "with written as (" + sql + " returning 1) " + log(events);
    }

    /** Stores the events if something was written. */
    private static String log(int events) {
        String one = "select " + casts(EVENT) + " from written";
        return "insert into holdfast_event (" + names(EVENT) + ") "
                + String.join(" union all ", Collections.nCopies(events, one));
    }

    // ---- several

    /** What a batch consists of. */
    enum Part {
        /** Records that expect a stamp. */
        UPDATES,
        /** Of them some that may come too early. */
        TIMED,
        /** Of them some with their event. */
        CARRIED,
        /** Records that expect none, or an idle one. */
        INSERTS,
        /** Other events. */
        EVENTS,
        /** Whom to tell. */
        WAKES
    }

    /**
     * Parameters, each part only if it is among these: for the updates an array for each column, of expected stamps, of times
     * before which it is too early, and for each column of their events; for the inserts an array for each column; an array of the
     * stamps the other events belong to and one for each of their columns; arrays of the stamps that wake others, of channels and of
     * what to say there.
     */
    String batch(Set<Part> of) {
        List<String> parts = new ArrayList<>();
        if (of.contains(Part.UPDATES)) {
            parts.add("updated as (" + updateAll(of) + ")");
        }
        if (of.contains(Part.CARRIED)) {
            parts.add("carried as (" + logCarried() + ")");
        }
        if (of.contains(Part.INSERTS)) {
            parts.add("inserted as (" + insertAll() + ")");
        }
        parts.add("written as (" + (of.contains(Part.UPDATES) ? "select stamp, past from updated" : "")
                + (of.contains(Part.UPDATES) && of.contains(Part.INSERTS) ? " union all " : "")
                + (of.contains(Part.INSERTS) ? "select stamp, past from inserted" : "") + ")");
        if (of.contains(Part.EVENTS)) {
            parts.add("logged as (" + logAll() + ")");
        }
        String wake =
                ", (select count(pg_notify(n.channel, n.payload)) from unnest(cast(? as bigint[]), cast(? as text[]),"
                        + " cast(? as text[])) as n (stamp, channel, payload) where n.stamp = w.stamp)";
        return "with " + String.join(", ", parts) + " select w.stamp, w.past" + (of.contains(Part.WAKES) ? wake : "")
                + " from written w";
    }

    private String updateAll(Set<Part> of) {
        List<Column> columns = some(LOCK, UPDATED);
        List<Column> event = of.contains(Part.CARRIED) ? some(EVENT, CARRIED) : List.of();
        return "update holdfast_lock as l set "
                + changing()
                        .map(column -> column.name() + " = "
                                + (column.name().equals("past")
                                        ? "coalesce(k.past, l.past)"
                                        : column.cast("k." + column.name())))
                        .collect(Collectors.joining(", "))
                + " from unnest(" + arrays(columns) + ", cast(? as bigint[])"
                + (of.contains(Part.TIMED) ? ", cast(? as text[])" : "")
                + (of.contains(Part.CARRIED) ? ", " + arrays(event) : "")
                + ") as k (" + names(columns) + ", expected"
                + (of.contains(Part.TIMED) ? ", not_before" : "")
                + (of.contains(Part.CARRIED) ? ", " + names(event) : "")
                + ") where l.namespace = k.namespace and l.name = k.name and l.stamp = k.expected"
                + (of.contains(Part.TIMED)
                        ? " and (k.not_before is null or " + nowSql + " >= cast(k.not_before as timestamptz))"
                        : "")
                + " returning l.stamp, cast(null as text) as past"
                + (of.contains(Part.CARRIED) ? ", l.namespace, l.name, " + names(event) : "");
    }

    /** The events of updates: no second list to compare with what was written. */
    private static String logCarried() {
        return "insert into holdfast_event (" + names(EVENT) + ") select "
                + EVENT.stream()
                        .map(column -> column.cast("u." + column.name()))
                        .collect(Collectors.joining(", "))
                + " from updated u where u.type is not null";
    }

    private static String insertAll() {
        return INSERT + "select "
                + LOCK.stream().map(column -> column.cast("k." + column.name())).collect(Collectors.joining(", "))
                + " from unnest(" + arrays(LOCK) + ") as k (" + names(LOCK) + ")"
                + " where coalesce((select h.busy from holdfast_lock h"
                + " where h.namespace = k.namespace and h.name = k.name), 0) = 0"
                + " on conflict (namespace, name) do update set " + assignments(List.of("past"))
                + " where excluded.newcomer is not null and " + STILL_IDLE
                + " and l.fence < excluded.fence and position(excluded.newcomer in l.past) = 0"
                + " returning l.stamp, case when l.newcomer is null then null else l.past end as past";
    }

    /** The coalesce keeps the planner from making it a join, which would compare each event with each lock. */
    private static String logAll() {
        return "insert into holdfast_event (" + names(EVENT) + ") select "
                + EVENT.stream()
                        .map(column -> column.cast("e." + column.name()))
                        .collect(Collectors.joining(", "))
                + " from unnest(cast(? as bigint[]), " + arrays(EVENT) + ") as e (stamp, " + names(EVENT)
                + ") where coalesce(e.stamp in (select stamp from written), false)";
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

    /** Parameters: the number, then the columns of the event. */
    static final String IMPORT_EVENT = "insert into holdfast_event (number, " + names(EVENT) + ") values (?, "
            + casts(EVENT) + ") on conflict (number) do nothing";

    /** Parameters: the number the next ones are to be greater than, twice. */
    static final String RAISE_EVENT_NUMBER =
            "select setval(numbers, ?) from cast(pg_get_serial_sequence('holdfast_event', 'number') as regclass) as numbers"
                    + " where coalesce(pg_sequence_last_value(numbers), 0) < ?";

    // ---- the parts

    /** What an update sets. */
    private static Stream<Column> changing() {
        return LOCK.stream().filter(column -> !KEY.contains(column.name()) && !CONDITION.contains(column.name()));
    }

    private static List<Boolean> numbers(List<Column> columns) {
        return columns.stream().map(column -> column.wire().equals("bigint")).toList();
    }

    private static List<Column> some(List<Column> columns, List<Integer> places) {
        return places.stream().map(columns::get).toList();
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private static String casts(List<Column> columns) {
        return columns.stream().map(Column::parameter).collect(Collectors.joining(", "));
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
