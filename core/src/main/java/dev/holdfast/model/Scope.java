package dev.holdfast.model;

import java.util.List;

/**
 * What is held or wanted of a record: which parts of the tree, and in which mode.
 *
 * @param paths one to {@value #MAX_PATHS} paths, sorted, none overlapping another
 * @param mode how they are shared
 */
public record Scope(List<LockPath> paths, Mode mode) {
    /** Most paths one acquisition may take of a record. */
    public static final int MAX_PATHS = 16;

    /** The whole record, alone. */
    public static final Scope WHOLE = new Scope(List.of(LockPath.WHOLE), Mode.EXCLUSIVE);

    /** Sorts the paths and checks that they are few and apart. */
    public Scope {
        if (paths.isEmpty() || paths.size() > MAX_PATHS) {
            throw Names.refused(
                    "number of paths", Integer.toString(paths.size()), "must be between 1 and " + MAX_PATHS);
        }
        if (paths.size() == 1) {
            paths = List.copyOf(paths);
        } else {
            paths = paths.stream().sorted().toList();
            for (int i = 0; i < paths.size(); i++) {
                for (int j = i + 1; j < paths.size(); j++) {
                    if (paths.get(i).overlaps(paths.get(j))) {
                        throw Names.refused(
                                "lock path",
                                paths.get(j).value(),
                                "overlaps '" + paths.get(i) + "' in the same request");
                    }
                }
            }
        }
    }

    /** One path in one mode. */
    public static Scope of(LockPath path, Mode mode) {
        return path.isWhole() && mode.equals(Mode.EXCLUSIVE) ? WHOLE : new Scope(List.of(path), mode);
    }
}
