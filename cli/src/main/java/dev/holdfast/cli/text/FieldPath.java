package dev.holdfast.cli.text;

import dev.holdfast.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A field of what a command shows as JSON, such as {@code holders[0].owner}. Without a number in brackets every item of a list is
 * meant; a name with a dot stands in brackets, too: {@code metadata[git.commit]}.
 *
 * @param text as it was typed
 */
public record FieldPath(String text) {
    private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+(\\[[^\\[\\]]+])*");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");
    private static final Pattern WHOLE = Pattern.compile(STEP.pattern() + "(\\." + STEP.pattern() + ")*");

    public FieldPath {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("-o value=" + text
                    + " names no field. Write for example -o value=fencing_token or value=holders[0].owner");
        }
    }

    /** As others write it, too: with a dot in front, and with a star for all items. */
    static FieldPath of(String typed) {
        return new FieldPath(typed.replaceFirst("^\\.", "").replace("[*]", ""));
    }

    /**
     * What stands there in these values, one line each: texts as they are, lists and objects as JSON, and an empty line for
     * {@code null}.
     *
     * @throws IllegalArgumentException if none of them has such a field
     */
    List<String> of(List<Json> values) {
        List<Json> here = values;
        for (String step : text.split("\\.(?![^\\[]*])", -1)) {
            List<Json> next = new ArrayList<>();
            Set<String> known = new TreeSet<>();
            for (Json value : spread(here)) {
                known.addAll(value.members().keySet());
                child(value, step).ifPresent(next::add);
            }
            if (next.isEmpty() && !known.isEmpty() && !known.contains(name(step))) {
                throw new IllegalArgumentException("There is no field '" + Screen.clean(step) + "' in -o value="
                        + Screen.clean(text) + ". There are " + Screen.clean(String.join(", ", known)));
            }
            here = next;
        }
        return spread(here).stream().map(FieldPath::line).toList();
    }

    private static String name(String step) {
        int bracket = step.indexOf('[');
        return bracket < 0 ? step : step.substring(0, bracket);
    }

    private static Optional<Json> child(Json value, String step) {
        Optional<Json> found = Optional.ofNullable(value.members().get(name(step)));
        for (int at = step.indexOf('['); at >= 0 && found.isPresent(); at = step.indexOf('[', at + 1)) {
            String inside = step.substring(at + 1, step.indexOf(']', at));
            List<Json> items = found.get().items();
            found = NUMBER.matcher(inside).matches()
                    ? items.stream().skip(Integer.parseInt(inside)).findFirst()
                    : Optional.ofNullable(found.get().members().get(inside));
        }
        return found;
    }

    private static List<Json> spread(List<Json> values) {
        return values.stream()
                .flatMap(value -> value instanceof Json.Arr list ? list.items().stream() : Stream.of(value))
                .toList();
    }

    /** One line, whatever is in it: a script reads line by line. */
    private static String line(Json value) {
        boolean single = value.members().isEmpty() && value.items().isEmpty();
        String text = single ? value.plain() : value.compact();
        return text.replace("\r", "\\r").replace("\n", "\\n");
    }
}
