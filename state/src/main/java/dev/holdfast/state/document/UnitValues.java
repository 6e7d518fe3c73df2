package dev.holdfast.state.document;

import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The single values in a unit by their paths, as long as they are few enough to be compared one by one. */
final class UnitValues {
    /**
     * Characters in all paths of one unit. A name near the top is in the path of everything below it, so that a unit of a few
     * megabytes could fill any memory with paths.
     */
    private static final int MAX_PATHS = 4_000_000;
    /** Longest value shown. */
    private static final int MAX_VALUE = 200;

    private final Set<String> secret;
    private final Map<String, Leaf> found = new TreeMap<>();
    private int characters;

    /** Knowing the paths of secrets. */
    UnitValues(Set<String> secret) {
        this.secret = secret;
    }

    UnitValues of(Json unit, boolean hidden) {
        collect("", unit, hidden);
        return this;
    }

    Map<String, Leaf> found() {
        return found;
    }

    /** Not all were collected: the unit is compared as a whole. */
    boolean tooMany() {
        return characters > MAX_PATHS;
    }

    /** A single value; one that is secret is not shown. */
    record Leaf(Json value, boolean secret) {
        /** As it is shown where it, or its counterpart, may be secret. */
        String shown(boolean hidden) {
            if (hidden || secret) {
                return StateDiff.SECRET;
            }
            String text = new String(value.bytes(), StandardCharsets.UTF_8);
            return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE - 3) + "...";
        }
    }

    private void collect(String path, Json value, boolean hidden) {
        characters += path.length() + 1;
        boolean masked = hidden || secret.contains(path);
        if (value instanceof Json.Obj object && !object.members().isEmpty()) {
            boolean named = Secrets.namesSecret(object);
            for (Map.Entry<String, Json> member : object.members().entrySet()) {
                if (tooMany()) {
                    return; // before the paths of the others are made
                }
                String name = member.getKey();
                boolean secretly = masked || Secrets.isSecret(name) || (named && name.equalsIgnoreCase("value"));
                collect(path.isEmpty() ? name : path + "." + name, member.getValue(), secretly);
            }
        } else if (value instanceof Json.Arr array && !array.items().isEmpty()) {
            for (int i = 0; i < array.items().size() && !tooMany(); i++) {
                collect(path + "[" + i + "]", array.items().get(i), masked);
            }
        } else {
            found.put(path, new Leaf(value, masked || Secrets.holdsSecret(value)));
        }
    }
}
