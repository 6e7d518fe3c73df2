package dev.holdfast.cli.backup;

import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.backup.DocumentPages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What the locks of a backup become when they are restored. Holders come back with their lease ids, tokens and ends, marked as what they
 * are: as far as the backup knew. Whoever waited does not: a place in a queue is of use only to a process that asks again. The last token
 * is raised to the time of the restore, which is above all tokens that were given out between the backup and now.
 *
 * @param now the target's time
 */
record RestoredLock(Instant backupAt, Instant now, String actor) {
    /** Where people and scripts see that a hold came out of a backup. */
    static final String MARK = "restored_from_backup";

    /** What the marks of many holders may add to a record that is nearly full. */
    private static final int ROOM = 4_096;

    private String told() {
        return "restored from the backup of " + Rfc3339.text(backupAt);
    }

    Token floor() {
        return new Token(Times.micros(now));
    }

    LockRecord of(LockRecord record) {
        List<Hold> holds = record.holds().stream()
                .filter(hold -> hold.phase() != Hold.Phase.OFFERED) // nobody has it yet, and who was offered it is gone
                .toList();
        LockRecord marked = with(record, holds.stream().map(this::marked).toList());
        // Thousands of holders, each with its mark, may not fit: then the history alone tells.
        return RecordCodec.body(marked).length() <= LockRecord.MAX_BYTES - ROOM ? marked : with(record, holds);
    }

    private LockRecord with(LockRecord record, List<Hold> holds) {
        return new LockRecord(
                record.format(),
                record.key(),
                new Stamp(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)),
                DocumentPages.later(record.fence(), floor()),
                holds,
                List.of(),
                Map.of(),
                record.past(),
                record.extras());
    }

    private Hold marked(Hold hold) {
        Terms terms = hold.terms();
        String why = terms.reason().isEmpty() ? told() : terms.reason() + " (" + told() + ")";
        return hold.described(marked(terms.metadata()), why.length() <= Names.MAX_TEXT ? why : terms.reason());
    }

    private Map<String, String> marked(Map<String, String> metadata) {
        Map<String, String> more = new TreeMap<>(metadata);
        more.put(MARK, Rfc3339.text(backupAt));
        int size = more.entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        return more.size() <= Terms.MAX_ENTRIES && size <= Terms.MAX_METADATA ? more : metadata;
    }

    /** What the history says of the holders that came back with it. */
    List<LockEvent> events(LockRecord restored) {
        return restored.holds().stream()
                .filter(Hold::isHeld)
                .map(hold -> event(
                        restored.key(),
                        hold.scope(),
                        hold.leaseId().fingerprint(),
                        hold.owner(),
                        hold.token(),
                        Map.of()))
                .toList();
    }

    LockEvent event(RecordKey key, Map<String, String> facts) {
        return event(key, Scope.WHOLE, 0, actor, Token.NONE, facts);
    }

    private LockEvent event(
            RecordKey key, Scope scope, long lease, String owner, Token token, Map<String, String> facts) {
        Map<String, String> all = new TreeMap<>(facts);
        all.put(MARK, Rfc3339.text(backupAt));
        return new LockEvent(
                EventType.STORE_RESTORED, key, scope, lease, owner, token, now, Duration.ZERO, actor, told(), all, "");
    }
}
