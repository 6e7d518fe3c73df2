package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.HoldLabel;
import dev.holdfast.spi.PastJson;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as rows. */
public final class EventRows {
    /** Each once: with every event one is asked for. */
    private static final Map<EventType, String> TYPES = Arrays.stream(EventType.values())
            .collect(Collectors.toMap(type -> type, type -> type.name().toLowerCase(Locale.ROOT)));

    private static final Logger LOG = LoggerFactory.getLogger(EventRows.class);

    /** Events are numbered when they are stored, in nearly the order of their times: nearer than this. */
    private static final Duration DISORDER = Duration.ofMinutes(1);

    public static final String COLUMNS =
            "at, type, namespace, name, path, mode, lease, owner, token, lasted_us, actor, reason, metadata, request";
    private static final String INSERT =
            "insert into holdfast_event (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String IMPORT =
            "insert into holdfast_event (number, " + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String BOUNDS = "select min(number), max(number) from holdfast_event";
    private static final String NEXT_TIME = "select at from holdfast_event where number >= ? order by number limit 1";
    private static final String OLDEST =
            "select max(number) from (select number from holdfast_event order by number limit ?) as oldest";
    /**
     * Never the newest: the next event must not get a number that was used before. Asked for in two steps, because MySQL does
     * not delete from a table that the statement also reads.
     */
    private static final String FORGET = "delete from holdfast_event where number <= ? and at < ?"
            + " and number < (select newest from (select max(number) as newest from holdfast_event) as other)";

    private final TimeColumn times;
    private final String label;
    private final String select;

    /**
     * Events of one database.
     *
     * @param label the label in the column {@code metadata}; null if there is none
     * @param history the table or view with {@link #COLUMNS}
     */
    public EventRows(TimeColumn times, String label, String history) {
        this.times = times;
        this.label = label;
        this.select = "select number, " + COLUMNS + " from " + history + " where 1 = 1";
    }

    // ---- writing

    public static void insert(Session session, List<LockEvent> events) throws SQLException {
        if (events.isEmpty()) {
            return;
        }
        PreparedStatement statement = session.prepare(INSERT);
        statement.clearBatch();
        for (LockEvent event : events) {
            set(statement, 1, event);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    /** Under the numbers they have; {@code ifTaken} ends the statement and says that a number that is taken is no failure. */
    public static void importAll(Session session, List<StoredEvent> events, String ifTaken) throws SQLException {
        PreparedStatement statement = session.prepare(IMPORT + ifTaken);
        statement.clearBatch();
        for (StoredEvent event : events) {
            statement.setLong(1, event.number());
            set(statement, 2, event.event());
            statement.addBatch();
        }
        statement.executeBatch();
    }

    private static void set(PreparedStatement statement, int first, LockEvent event) throws SQLException {
        int i = first;
        for (Object value : values(event)) {
            Session.set(statement, i++, value);
        }
    }

    /** A text, number or null for each of {@link #COLUMNS}. */
    public static @Nullable Object[] values(LockEvent event) {
        return new @Nullable Object[] {
            Utc.text(event.at()),
            type(event.type()),
            event.key().namespace(),
            event.key().name(),
            paths(event.scope()),
            event.scope().mode().toString(),
            hex(event.lease()),
            event.owner(),
            event.token().value(),
            Times.micros(event.lasted()),
            event.actor(),
            event.reason(),
            event.metadata().isEmpty() ? null : PastJson.metadata(event.metadata()),
            event.request()
        };
    }

    /** The number up to which are the {@code limit} oldest events; 0 when there are none. */
    public long oldest(Session session, int limit) throws SQLException {
        return session.first(OLDEST, row -> row.getLong(1), limit).orElse(0L);
    }

    public int forget(Session session, long upTo, Instant before) throws SQLException {
        PreparedStatement statement = session.prepare(FORGET);
        statement.setLong(1, upTo);
        times.set(statement, 2, before);
        return statement.executeUpdate();
    }

    // ---- reading

    public List<StoredEvent> find(Session session, EventQuery asked) throws SQLException {
        SqlQuery query = new SqlQuery(select);
        asked.namespace().ifPresent(namespace -> query.and("namespace = ?", namespace));
        asked.name().ifPresent(name -> query.and("name = ?", name));
        asked.called().ifPresent(text -> called(query, text));
        asked.type().ifPresent(type -> query.and("type = ?", type(type)));
        if (asked.from().isPresent()) {
            Instant from = asked.from().get();
            query.and("number >= ? and at >= ?", firstNumber(session, from.minus(DISORDER)), from);
        }
        if (asked.to().isPresent()) {
            Instant to = asked.to().get();
            query.and("number < ? and at < ?", firstNumber(session, to.plus(DISORDER)), to);
        }
        asked.after().ifPresent(number -> query.and("number > ?", number));
        asked.before().ifPresent(number -> query.and("number < ?", number));
        query.add(
                " order by number " + (asked.after().isPresent() ? "asc" : "desc") + " limit ?", (long) asked.limit());
        List<StoredEvent> found = new ArrayList<>();
        try (ResultSet row = query.run(session, times)) {
            while (row.next()) {
                readable(row).ifPresent(found::add);
            }
        }
        return found;
    }

    /** As {@link EventQuery#matches} judges it. */
    private void called(SqlQuery query, String text) {
        String either = "name = ? or " + label + " = ?";
        HoldLabel.partOfSync(text)
                .ifPresentOrElse(
                        part -> query.and(
                                "(" + either + " or (name = ? and path = ? and " + label + " is null))",
                                text,
                                text,
                                HoldLabel.SYNC,
                                part.value()),
                        () -> query.and("(" + either + ")", text, text));
    }

    /** The first number not before this time, found by halving: numbers grow with time, up to {@link #DISORDER}. */
    private long firstNumber(Session session, Instant time) throws SQLException {
        long low;
        long high;
        try (ResultSet row = session.prepare(BOUNDS).executeQuery()) {
            row.next();
            low = row.getLong(1);
            high = row.getLong(2) + 1;
        }
        while (low < high) {
            long middle = low + (high - low) / 2;
            Optional<Instant> next = session.first(NEXT_TIME, row -> times.get(row, 1), middle);
            if (next.isPresent() && next.get().isBefore(time)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** An event of a newer version, or one that somebody edited, must not hide the others. */
    private Optional<StoredEvent> readable(ResultSet row) throws SQLException {
        try {
            return Optional.of(new StoredEvent(row.getLong(1), event(row)));
        } catch (IllegalArgumentException | DateTimeException | IOException e) {
            LOG.debug("event {} cannot be read", row.getLong(1), e);
            return Optional.empty();
        }
    }

    private LockEvent event(ResultSet row) throws SQLException, IOException {
        String metadata = row.getString(14);
        return new LockEvent(
                EventType.valueOf(row.getString(3).toUpperCase(Locale.ROOT)),
                new RecordKey(row.getString(4), row.getString(5)),
                scope(row.getString(6), row.getString(7)),
                Long.parseUnsignedLong(row.getString(8), 16),
                row.getString(9),
                new Token(row.getLong(10)),
                times.get(row, 2),
                Times.ofMicrosLong(row.getLong(11)),
                row.getString(12),
                row.getString(13),
                metadata == null ? Map.of() : PastJson.metadata(metadata),
                row.getString(15));
    }

    // ---- the forms of single columns

    public static String type(EventType type) {
        return Objects.requireNonNull(TYPES.get(type));
    }

    /** One path per line: a path has no line breaks. The whole lock is the empty text. */
    public static String paths(Scope scope) {
        List<LockPath> paths = scope.paths();
        return paths.size() == 1
                ? paths.get(0).value()
                : String.join("\n", paths.stream().map(LockPath::value).toList());
    }

    private static Scope scope(String paths, String mode) {
        List<LockPath> parts = paths.lines().map(LockPath::of).toList();
        Mode how = switch (mode) {
            case "exclusive" -> Mode.EXCLUSIVE;
            case "shared" -> Mode.SHARED;
            default -> permit(mode);
        };
        return parts.size() <= 1
                ? Scope.of(parts.isEmpty() ? LockPath.WHOLE : parts.get(0), how)
                : new Scope(parts, how);
    }

    private static Mode permit(String mode) {
        if (!mode.startsWith("permit(") || !mode.endsWith(")")) {
            throw new IllegalArgumentException("unknown mode '" + mode + "'");
        }
        return Mode.permit(Integer.parseInt(mode, 7, mode.length() - 1, 10));
    }

    public static String hex(long fingerprint) {
        return HexFormat.of().toHexDigits(fingerprint);
    }
}
