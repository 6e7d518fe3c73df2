package dev.holdfast.cli.state;

import dev.holdfast.Holder;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.util.List;
import java.util.Locale;

/** Words about state that several commands say. */
final class StateWords {
    /** Of a command that shows or keeps a state: what its help says about exit code 1. */
    static final String NO_STATE = "1:There is no state, or it is damaged.";

    private static final List<String> UNITS = List.of("KB", "MB", "GB");
    private static final int KILO = 1000;

    private StateWords() {}

    static String named(Stack stack) {
        return "stack '" + stack.name() + "' in '" + stack.environment() + "'";
    }

    /** Says that there is no state; the exit code for it. */
    static int none(Output output, Stack stack) {
        output.say("holdfast: There is no state of " + named(stack) + ". List all: holdfast state ls");
        return ExitCodes.FAILURE;
    }

    /** Says that there is no such version; the exit code for it. */
    static int noVersion(Output output, Stack stack, String version) {
        output.say("holdfast: There is no version '" + Screen.clean(version) + "' of " + named(stack)
                + ". List them: holdfast state history " + stack.name() + " " + stack.environment());
        return ExitCodes.FAILURE;
    }

    static int refused(Output output, StateRefusal refused) {
        output.say("holdfast: " + Screen.clean(refused.message()));
        return code(refused);
    }

    static int code(StateRefusal refused) {
        return switch (refused.reason()) {
            case LOCKED -> ExitCodes.BUSY;
            case NOT_HELD, FENCED, NOT_CLAIMED -> ExitCodes.LOST;
            case CONFLICT, SHARED -> ExitCodes.FAILURE;
        };
    }

    /** A size as people write it, such as {@code 1.2 MB}. */
    static String size(long bytes) {
        if (bytes < KILO) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= KILO - 0.05 && unit < UNITS.size() - 1) {
            value /= KILO;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, UNITS.get(unit));
    }

    /** Which version, for a sentence. */
    static String version(StateVersion version) {
        return "version " + version.version() + ", serial " + version.serial() + ", " + size(version.size());
    }

    /** Who holds, in a cell. */
    static Table.Cell lock(List<Holder> holders) {
        if (holders.isEmpty()) {
            return Table.Cell.of("");
        }
        Holder first = holders.get(0);
        String others = holders.size() == 1 ? "" : " and " + (holders.size() - 1) + " more";
        return first.stale()
                ? Table.Cell.of(TextColour.BAD, first.owner() + others + ", stale")
                : Table.Cell.of(TextColour.CAREFUL, first.owner() + others);
    }
}
