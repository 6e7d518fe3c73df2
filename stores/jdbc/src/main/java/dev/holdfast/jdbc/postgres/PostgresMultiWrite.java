package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.WriteResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Several records in one statement: an array for each column. */
final class PostgresMultiWrite {
    private final PostgresConnections connections;
    private final PostgresChannels channels;
    private final PostgresSql sql;
    /** Each text once; building them is not free. */
    private final Map<Set<PostgresSql.Part>, String> texts = new ConcurrentHashMap<>();

    PostgresMultiWrite(PostgresConnections connections, PostgresChannels channels, PostgresSql sql) {
        this.connections = connections;
        this.channels = channels;
        this.sql = sql;
    }

    /** Writes these, which are in the order of their keys, and adds what became of each; nothing of what was refused. */
    void write(Session session, List<PostgresRow> rows, Map<RecordKey, WriteResult> results) throws SQLException {
        Set<PostgresSql.Part> parts = EnumSet.noneOf(PostgresSql.Part.class);
        List<PostgresRow> updates = new ArrayList<>(rows.size());
        List<@Nullable Object[]> carried = new ArrayList<>(rows.size()); // of the updates
        List<PostgresRow> inserts = new ArrayList<>(0);
        List<Long> owners = new ArrayList<>(0);
        List<@Nullable Object[]> events = new ArrayList<>(0);
        List<Long> wakes = new ArrayList<>(0);
        List<PostgresChannels.Notice> notices = new ArrayList<>(0);
        Map<Long, PostgresRow> byStamp = new HashMap<>(rows.size() * 2);
        for (PostgresRow row : rows) {
            Long stamp = row.record().stamp().value();
            byStamp.put(stamp, row);
            boolean update = row.expected().isPresent();
            boolean carry = update && row.write().events().size() == 1;
            if (update) {
                updates.add(row);
                parts.add(PostgresSql.Part.UPDATES);
                if (row.notBefore() != null) {
                    parts.add(PostgresSql.Part.TIMED);
                }
                carried.add(carry ? PostgresRow.event(row.write().events().get(0)) : PostgresRow.NO_EVENT);
                if (carry) {
                    parts.add(PostgresSql.Part.CARRIED);
                }
            } else {
                parts.add(PostgresSql.Part.INSERTS);
                inserts.add(row);
            }
            for (LockEvent event : carry ? List.<LockEvent>of() : row.write().events()) {
                parts.add(PostgresSql.Part.EVENTS);
                owners.add(stamp);
                events.add(PostgresRow.event(event));
            }
            for (PostgresChannels.Notice notice : channels.notices(row.write())) {
                parts.add(PostgresSql.Part.WAKES);
                wakes.add(stamp);
                notices.add(notice);
            }
        }
        PreparedStatement statement = session.prepare(texts.computeIfAbsent(parts, sql::batch));
        PostgresRow.Arrays set = new PostgresRow.Arrays(session.connection(), statement);
        if (parts.contains(PostgresSql.Part.UPDATES)) {
            set.columns(values(updates), PostgresSql.LOCK_NUMBERS, PostgresSql.UPDATED);
            Long[] stamps = new Long[updates.size()];
            @Nullable String[] times = new String[stamps.length];
            for (int i = 0; i < stamps.length; i++) {
                stamps[i] = updates.get(i).expected().orElseThrow().stamp().value();
                times[i] = updates.get(i).notBefore();
            }
            set.numbers(stamps);
            if (parts.contains(PostgresSql.Part.TIMED)) {
                set.texts(times);
            }
            if (parts.contains(PostgresSql.Part.CARRIED)) {
                set.columns(carried, PostgresSql.EVENT_NUMBERS, PostgresSql.CARRIED);
            }
        }
        if (parts.contains(PostgresSql.Part.INSERTS)) {
            set.columns(values(inserts), PostgresSql.LOCK_NUMBERS);
        }
        if (parts.contains(PostgresSql.Part.EVENTS)) {
            set.numbers(owners.toArray(Long[]::new));
            set.columns(events, PostgresSql.EVENT_NUMBERS);
        }
        if (parts.contains(PostgresSql.Part.WAKES)) {
            set.numbers(wakes.toArray(Long[]::new));
            set.texts(notices.stream().map(PostgresChannels.Notice::channel).toArray(String[]::new));
            set.texts(notices.stream().map(PostgresChannels.Notice::payload).toArray(String[]::new));
        }
        try (ResultSet written = connections.run(session, statement)) {
            while (written.next()) {
                PostgresRow row = byStamp.get(written.getLong(1));
                if (row != null) {
                    results.put(row.record().key(), row.applied(written.getString(2)));
                }
            }
        }
    }

    private static List<@Nullable Object[]> values(List<PostgresRow> rows) {
        return rows.stream().map(PostgresRow::values).toList();
    }
}
