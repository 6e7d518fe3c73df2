package dev.holdfast.wire.backup;

import dev.holdfast.model.Token;

/**
 * What is in a backup.
 *
 * @param locks records of locks
 * @param held of these, those that are held
 * @param events of the history
 * @param fences rows with the highest token that wrote under a lock
 * @param documents of state and guard, and stored tokens
 * @param bytes of all documents
 * @param newest the greatest token in any of it
 */
public record BackupTotals(long locks, long held, long events, long fences, long documents, long bytes, Token newest) {}
