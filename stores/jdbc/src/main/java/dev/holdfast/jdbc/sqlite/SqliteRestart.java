package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * While the process was away, no time passed for its leases: each has what was left at the last stored time. What had
 * expired then stays expired; what never expires stays so.
 */
final class SqliteRestart {
    private final SqliteBatch batch;
    private final SecureRandom random = new SecureRandom();

    SqliteRestart(SqliteBatch batch) {
        this.batch = batch;
    }

    /** Moves the ends of all leases, in one transaction. The session commits by itself otherwise. */
    void extendLeases(Session session) throws SQLException {
        session.execute("begin immediate");
        Instant last = SqliteMeta.time(session);
        Duration away = Duration.between(last, batch.clock().begin(session));
        extendLeases(session, last, away);
        session.execute("commit");
    }

    private void extendLeases(Session session, Instant last, Duration away) throws SQLException {
        Optional<String> next = Optional.empty();
        do {
            Page page = batch.locks().scan(session, ScanRequest.all().busy().from(next));
            for (Versioned found : page.records()) {
                LockRecord record = found.record();
                if (!record.isNewer()) { // nobody here may write it, so nobody here can take it over either
                    LockRecord longer = extended(record, last, away);
                    batch.update(session, longer, RecordText.of(longer, false), record.stamp(), false);
                }
            }
            next = page.next();
        } while (next.isPresent());
    }

    private LockRecord extended(LockRecord record, Instant last, Duration away) {
        List<Hold> holds = record.holds().stream()
                .map(hold -> until(hold, extended(hold.expiresAt(), last, away)))
                .toList();
        Map<EngineId, Instant> alive = new HashMap<>();
        record.alive().forEach((engine, until) -> alive.put(engine, extended(until, last, away)));
        return new LockRecord(
                record.format(),
                record.key(),
                new Stamp(random.nextLong() | 1),
                record.fence(),
                holds,
                record.queue(),
                alive,
                record.past(),
                record.extras());
    }

    /** A time that had not passed at {@code last} comes as much later as we were away. */
    private static Instant extended(Instant end, Instant last, Duration away) {
        return end.isBefore(last) || end.equals(Times.NEVER) ? end : end.plus(away);
    }

    private static Hold until(Hold hold, Instant end) {
        return new Hold(
                hold.leaseId(),
                hold.scope(),
                hold.owner(),
                hold.token(),
                hold.grantedAt(),
                hold.renewedAt(),
                end,
                hold.terms(),
                hold.phase(),
                hold.ticket(),
                hold.stale());
    }
}
