package dev.holdfast.spi;

import dev.holdfast.model.LockRecord;

/**
 * A record as stores keep it: as text.
 *
 * @param body everything but its past
 * @param past what it remembers; empty text if nothing, or if that is not written
 */
public record RecordText(String body, String past) {
    /** The record as text; without its past where that stays as it is. */
    public static RecordText of(LockRecord record, boolean samePast) {
        return new RecordText(RecordCodec.body(record), samePast ? "" : PastJson.write(record.past()));
    }
}
