package dev.holdfast.wire.backup;

import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import java.util.Map;

/** Who is shown what is in a backup, in the order of the file. Does nothing about what it does not ask for. */
public interface BackupVisitor {
    default void lock(LockRecord record) {}

    default void event(StoredEvent event) {}

    /** The highest token that wrote under a lock. */
    default void fence(FencedToken fence) {}

    /**
     * A document. One that changed while the backup was written comes again.
     *
     * @param ordinal which entry this is; the one that counts is in {@link BackupSummary#latest()}
     */
    default void document(int ordinal, String name, Map<String, String> attributes, byte[] content) {}
}
