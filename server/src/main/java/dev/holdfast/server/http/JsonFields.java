package dev.holdfast.server.http;

import dev.holdfast.wire.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a body, asked for one by one. What is wrong is collected and told at once by {@link #check()}, which also
 * refuses fields nobody asked for.
 */
public final class JsonFields {
    private static final int MAX_SHOWN = 64;

    private final Map<String, Json> values;
    private final String prefix;
    private final Problem.Collector problems;
    private final Set<String> asked = new HashSet<>();
    private final List<JsonFields> inner = new ArrayList<>(0);

    JsonFields(Map<String, Json> values) {
        this(values, "", new Problem.Collector());
    }

    private JsonFields(Map<String, Json> values, String prefix, Problem.Collector problems) {
        this.values = values;
        this.prefix = prefix;
        this.problems = problems;
    }

    /** A text that must be there, turned into a value that checks itself; {@code instead} stands in until {@link #check()}. */
    public <T> T text(String name, Function<String, T> read, T instead) {
        return needed(name, optionalText(name, read), instead);
    }

    private <T> T needed(String name, Optional<T> found, T instead) {
        if (found.isEmpty() && !values.containsKey(name)) {
            wrong(name, "is missing");
        }
        return found.orElse(instead);
    }

    public <T> Optional<T> optionalText(String name, Function<String, T> read) {
        Json value = take(name);
        return value == null ? Optional.empty() : made(name, value, "must be a string, was ", read);
    }

    private <T> Optional<T> made(String name, Json value, String otherwise, Function<String, T> read) {
        if (!(value instanceof Json.Text text)) {
            wrong(name, otherwise + kind(value));
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(text.value()));
        } catch (IllegalArgumentException e) {
            wrong(name, "is not allowed: " + e.getMessage());
            return Optional.empty();
        }
    }

    public long integer(String name, long min, long max) {
        return needed(name, optionalInteger(name, min, max), min);
    }

    public Optional<Long> optionalInteger(String name, long min, long max) {
        Json value = take(name);
        if (value == null) {
            return Optional.empty();
        }
        OptionalLong number = value.number();
        if (number.isPresent() && number.getAsLong() >= min && number.getAsLong() <= max) {
            return Optional.of(number.getAsLong());
        }
        wrong(
                name,
                "must be an integer from " + min + " to " + max + ", was "
                        + (value instanceof Json.Numeral ? shown(value.plain()) : kind(value)));
        return Optional.empty();
    }

    /** Yes or no; no if it is left out. */
    public boolean truth(String name) {
        Json value = take(name);
        if (value != null && !(value instanceof Json.Truth)) {
            wrong(name, "must be true or false, was " + kind(value));
        }
        return value != null && value.isTrue();
    }

    /** A list of texts that may be left out, each turned into a value that checks itself. */
    public <T> List<T> list(String name, int max, Function<String, T> read) {
        Json value = take(name);
        if (value == null) {
            return List.of();
        }
        if (value.items().isEmpty() || value.items().size() > max) {
            wrong(name, "must be a list of 1 to " + max + " texts");
            return List.of();
        }
        return value.items().stream()
                .flatMap(entry -> made(name, entry, "must have strings only, had ", read).stream())
                .toList();
    }

    public Map<String, String> texts(String name) {
        Json value = take(name);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Json.Obj)) {
            wrong(name, "must be an object of strings, was " + kind(value));
            return Map.of();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        value.members().forEach((key, entry) -> {
            if (entry instanceof Json.Text text) {
                texts.put(key, text.value());
            } else {
                wrong(name + "." + key, "must be a string, was " + kind(entry));
            }
        });
        return texts;
    }

    /** An object of lists of texts that must be there: {@code {"billing": ["lock"]}}. */
    public Map<String, List<String>> lists(String name, int max) {
        Json value = take(name);
        if (value == null || value.members().isEmpty() || value.members().size() > max) {
            wrong(name, value == null ? "is missing" : "must be an object of 1 to " + max + " lists of texts");
            return Map.of();
        }
        Map<String, List<String>> lists = new LinkedHashMap<>();
        value.members().forEach((key, entry) -> {
            List<Json> list = entry.items();
            if (!list.isEmpty() && list.size() <= max && list.stream().allMatch(Json.Text.class::isInstance)) {
                lists.put(key, list.stream().map(Json::plain).toList());
            } else {
                wrong(name + "." + shown(key), "must be a list of 1 to " + max + " texts");
            }
        });
        return lists;
    }

    /** A list of whole numbers and texts that may be empty, or left out; each as its text. */
    public List<String> codes(String name, int max) {
        Json value = take(name);
        if (value == null) {
            return List.of();
        }
        boolean sound = value instanceof Json.Arr list
                && list.items().size() <= max
                && list.items().stream()
                        .allMatch(entry ->
                                entry instanceof Json.Text || entry.number().isPresent());
        if (!sound) {
            wrong(name, "must be a list of at most " + max + " codes, such as 404, and ranges, such as \"500-599\"");
            return List.of();
        }
        return value.items().stream().map(Json::plain).toList();
    }

    public Optional<JsonFields> optionalObject(String name) {
        Json value = take(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Json.Obj object) {
            return Optional.of(inside(object, prefix + name + "."));
        }
        wrong(name, "must be an object, was " + kind(value));
        return Optional.empty();
    }

    /** A list of objects that may be empty, or left out. */
    public List<JsonFields> optionalObjects(String name, int max) {
        Json value = values.get(name);
        boolean none =
                value == null || (value instanceof Json.Arr list && list.items().isEmpty());
        if (none) {
            take(name);
            return List.of();
        }
        return objects(name, max);
    }

    public List<JsonFields> objects(String name, int max) {
        Json value = take(name);
        if (!(value instanceof Json.Arr array)) {
            wrong(name, value == null ? "is missing" : "must be a list of objects, was " + kind(value));
            return List.of();
        }
        List<Json> list = array.items();
        if (list.isEmpty() || list.size() > max) {
            wrong(name, "must have 1 to " + max + " entries, had " + list.size());
            return List.of();
        }
        List<JsonFields> objects = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof Json.Obj object) {
                objects.add(inside(object, prefix + name + "[" + i + "]."));
            } else {
                wrong(name + "[" + i + "]", "must be an object, was " + kind(list.get(i)));
            }
        }
        return objects;
    }

    private JsonFields inside(Json.Obj object, String path) {
        JsonFields fields = new JsonFields(object.members(), path, problems);
        inner.add(fields);
        return fields;
    }

    public void wrong(String name, String what) {
        problems.add(prefix + name + " " + what);
    }

    public void check() {
        refuseUnasked();
        problems.check();
    }

    private void refuseUnasked() {
        for (String name : values.keySet()) {
            if (!asked.contains(name)) {
                wrong(shown(name), "is unknown");
            }
        }
        inner.forEach(JsonFields::refuseUnasked);
    }

    private @Nullable Json take(String name) {
        asked.add(name);
        Json value = values.get(name);
        if (value instanceof Json.Null) {
            wrong(name, "must not be null; leave it out instead");
        }
        return value instanceof Json.Null ? null : value;
    }

    private static String kind(Json value) {
        if (value instanceof Json.Text) {
            return "a text";
        }
        if (value instanceof Json.Numeral) {
            return "a number";
        }
        if (value instanceof Json.Truth) {
            return "a boolean";
        }
        return value instanceof Json.Obj ? "an object" : value instanceof Json.Arr ? "a list" : "null";
    }

    static String shown(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    }
}
