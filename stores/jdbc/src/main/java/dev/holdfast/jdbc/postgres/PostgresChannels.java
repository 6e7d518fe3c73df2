package dev.holdfast.jdbc.postgres;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The channels of NOTIFY, and what is said on them. On the common one, the key of a lock. On that of an engine the record too, if there is
 * room, so that the engine need not read it: it is offered the lock, and has little time.
 *
 * @param common the one everybody listens on
 */
record PostgresChannels(String common) {
    /** Between namespace and name: no namespace contains it. */
    private static final char BETWEEN = ':';
    /** Between key, mark, record and past: a control character, which is escaped in JSON and refused in names. */
    private static final String NEXT = "\n";

    private static final int PARTS = 4;
    /** PostgreSQL takes less than 8000 bytes. */
    private static final int MOST_BYTES = 7_900;
    /** PostgreSQL's longest name. */
    private static final int LONGEST = 63;

    private static final int HEX = 16;

    /** One call of {@code pg_notify}. */
    record Notice(String channel, String payload) {}

    /** The one only this engine listens on. */
    String of(EngineId engine) {
        String own = common + "_" + engine.value();
        return own.length() <= LONGEST ? own : common;
    }

    List<Notice> notices(Write write) {
        if (write.wake().isNobody()) {
            return List.of();
        }
        String key = write.key().namespace() + BETWEEN + write.key().name();
        if (write.wake().everybody()) {
            return List.of(new Notice(common, key));
        }
        String payload = withRecord(key, write);
        return write.wake().engines().stream()
                .map(engine -> new Notice(of(engine), payload))
                .toList();
    }

    private static String withRecord(String key, Write write) {
        if (!(write.precondition() instanceof Precondition.Stamped)
                || write.record().isEmpty()) {
            return key; // what the row remembers is the server's then
        }
        LockRecord record = write.record().get();
        String text = key + NEXT + Long.toHexString(record.stamp().value()) + " "
                + record.fence().value() + NEXT + write.text().body() + NEXT + PastJson.write(record.past());
        boolean fits = text.length() <= MOST_BYTES
                && text.getBytes(StandardCharsets.UTF_8).length
                        <= MOST_BYTES; // the database may be in another encoding
        return fits ? text : key;
    }

    /** What was said; empty if it is not of ours. */
    static Optional<Watchable.Hint> read(String payload) {
        String[] parts = payload.split(NEXT, PARTS);
        int at = parts[0].indexOf(BETWEEN);
        if (at <= 0) {
            return Optional.empty();
        }
        try {
            RecordKey key = new RecordKey(parts[0].substring(0, at), parts[0].substring(at + 1));
            return Optional.of(
                    parts.length < PARTS ? Watchable.Hint.of(key) : new Watchable.Hint(key, record(key, parts)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // somebody else talks here
        }
    }

    private static Optional<Versioned> record(RecordKey key, String... parts) {
        int space = parts[1].indexOf(' ');
        try {
            Stamp stamp = new Stamp(Long.parseUnsignedLong(parts[1].substring(0, space), HEX));
            Token fence = new Token(Long.parseLong(parts[1].substring(space + 1)));
            return Optional.of(Versioned.of(RecordCodec.decode(key, stamp, fence, parts[2], parts[PARTS - 1])));
        } catch (StoreUnusableException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty(); // then it is read, and told by that what is wrong with it
        }
    }
}
