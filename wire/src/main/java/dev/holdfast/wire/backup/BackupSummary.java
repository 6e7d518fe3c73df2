package dev.holdfast.wire.backup;

import java.util.Map;

/**
 * A backup that was read whole.
 *
 * @param header what it says of itself
 * @param totals what is in it
 * @param latest by name, which entry of each document counts: those that are not named here were deleted while it was written
 */
public record BackupSummary(BackupHeader header, BackupTotals totals, Map<String, Integer> latest) {}
