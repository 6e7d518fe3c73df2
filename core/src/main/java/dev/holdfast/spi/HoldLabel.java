package dev.holdfast.spi;

import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What people call a hold, where that is not the name of its lock: the {@code label} in its metadata. The synchronisation of all
 * projects, or of one, is one lock with parts, {@code sync}; its holds are {@code sync-all} and {@code sync-project-KEY} also without
 * a label.
 */
public final class HoldLabel {
    /** The entry of the metadata that says it. */
    public static final String ENTRY = "label";
    /** The lock whose parts have names of their own. */
    public static final String SYNC = "sync";

    private static final String ALL = "sync-all";
    private static final String ONE = "sync-project-";
    private static final String PART = "project/";

    private HoldLabel() {}

    /** The label of a hold on these paths of a lock; the name of the lock if it has none. */
    public static String of(RecordKey key, List<LockPath> paths, Map<String, String> metadata) {
        String said = metadata.get(ENTRY);
        if (said != null) {
            return said;
        }
        if (!key.name().equals(SYNC) || paths.size() != 1) {
            return key.name();
        }
        String path = paths.get(0).value();
        return path.isEmpty() ? ALL : path.startsWith(PART) ? ONE + path.substring(PART.length()) : key.name();
    }

    /** The part of {@link #SYNC} that this is the label of, if it does not say another. */
    public static Optional<LockPath> partOfSync(String label) {
        if (label.equals(ALL)) {
            return Optional.of(LockPath.WHOLE);
        }
        if (!label.startsWith(ONE) || label.length() == ONE.length()) {
            return Optional.empty();
        }
        try {
            return Optional.of(LockPath.of(PART + label.substring(ONE.length())));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // there is no such path, so nobody holds it
        }
    }
}
