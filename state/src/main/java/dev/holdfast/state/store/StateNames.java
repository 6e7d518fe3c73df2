package dev.holdfast.state.store;

import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.VersionNames;
import java.util.Optional;

/** Where the documents of a stack are. */
public final class StateNames {
    /** The folder of all stacks. */
    public static final String ROOT = "stacks/";
    /** How the names of current documents end. */
    public static final String CURRENT = "state.json";
    /** The folder of all lock files. */
    public static final String LOCKS = "locks/";

    private static final String ENDING = ".json";

    private StateNames() {}

    public static String current(Stack stack) {
        return folder(stack) + CURRENT;
    }

    public static String history(Stack stack) {
        return folder(stack) + "history/";
    }

    public static String history(Stack stack, String version) {
        return history(stack) + version + ENDING;
    }

    public static String backup(Stack stack, String version) {
        return folder(stack) + "backup/" + version + ENDING;
    }

    /** Shows people who holds the lock. */
    public static String lockFile(Stack stack) {
        return current(stack) + ".lock";
    }

    /** The same, where all locks are seen together. */
    public static String lockListing(Stack stack) {
        return LOCKS + stack.name() + "-" + stack.environment() + ".lock";
    }

    private static String folder(Stack stack) {
        return ROOT + stack.name() + "/" + stack.environment() + "/";
    }

    /** The stack whose current document this is; empty for any other document. */
    static Optional<Stack> stackOf(String document) {
        String[] parts = document.split("/", -1);
        if (parts.length != 4 || !document.startsWith(ROOT) || !parts[3].equals(CURRENT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Stack(parts[1], parts[2]));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // somebody else's folder in the same bucket
        }
    }

    /** The version a history entry is named by. */
    static Optional<String> versionOf(String document) {
        String leaf = document.substring(document.lastIndexOf('/') + 1);
        String version = leaf.endsWith(ENDING) ? leaf.substring(0, leaf.length() - ENDING.length()) : "";
        return VersionNames.isName(version) ? Optional.of(version) : Optional.empty();
    }
}
