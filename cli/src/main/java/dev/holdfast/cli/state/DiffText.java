package dev.holdfast.cli.state;

import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.state.document.StateDiff;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.BiFunction;

/** What differs between two states, a line for each resource and attribute. Secrets come masked. */
record DiffText(StateDiff diff) {
    void print(PrintWriter out, BiFunction<TextColour, String, String> paint) {
        for (StateDiff.ResourceChange change : diff.changes()) {
            String resource = sign(change.kind()) + " " + Screen.clean(change.address());
            boolean value = isValue(change);
            out.println(paint.apply(ink(change.kind()), resource)
                    + (value ? ": " + step(change.attributes().get(0), paint) : ""));
            boolean inside = change.kind() == StateDiff.Kind.CHANGED && !value;
            for (StateDiff.Attribute attribute : inside ? change.attributes() : List.<StateDiff.Attribute>of()) {
                out.println("    " + Screen.clean(attribute.path()) + ": " + step(attribute, paint));
            }
            if (inside && !change.complete()) {
                out.println("    … and more");
            }
        }
        out.println(summary());
        out.flush();
    }

    /** Not a resource with attributes, but one value, such as the serial. */
    private static boolean isValue(StateDiff.ResourceChange change) {
        return change.kind() == StateDiff.Kind.CHANGED
                && change.attributes().size() == 1
                && change.attributes().get(0).path().isEmpty();
    }

    private static String step(StateDiff.Attribute attribute, BiFunction<TextColour, String, String> paint) {
        return paint.apply(TextColour.BAD, Screen.clean(attribute.before().orElse("(none)"))) + " -> "
                + paint.apply(TextColour.GOOD, Screen.clean(attribute.after().orElse("(none)")));
    }

    private String summary() {
        if (diff.isEmpty()) {
            return "Nothing differs";
        }
        return count(StateDiff.Kind.ADDED) + " added, " + count(StateDiff.Kind.CHANGED) + " changed, "
                + count(StateDiff.Kind.REMOVED) + " removed"
                + (diff.complete() ? "" : ", and more that are not listed");
    }

    private long count(StateDiff.Kind kind) {
        return diff.changes().stream().filter(it -> it.kind() == kind).count();
    }

    private static String sign(StateDiff.Kind kind) {
        return switch (kind) {
            case ADDED -> "+";
            case REMOVED -> "-";
            case CHANGED -> "~";
        };
    }

    private static TextColour ink(StateDiff.Kind kind) {
        return switch (kind) {
            case ADDED -> TextColour.GOOD;
            case REMOVED -> TextColour.BAD;
            case CHANGED -> TextColour.CAREFUL;
        };
    }
}
