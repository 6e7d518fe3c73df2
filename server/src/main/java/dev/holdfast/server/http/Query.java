package dev.holdfast.server.http;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The query of a request, asked for one by one; {@link #check()} tells all that is wrong at once. */
public final class Query {
    private static final int MAX_SHOWN = 64;

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Problem.Collector problems = new Problem.Collector();
    private final Set<String> asked = new HashSet<>();

    Query(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (name.isEmpty() && value.isEmpty()) {
                continue;
            }
            if (values.putIfAbsent(name, value) != null) {
                problems.add("query parameter '" + shown(name) + "' is given twice");
            }
        }
    }

    private static String decode(String text) {
        return Percent.decode(text.replace('+', ' '), "the query");
    }

    /** A parameter that may be left out; an empty one counts as left out. */
    public <T> Optional<T> text(String name, Function<String, T> read) {
        asked.add(name);
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(value));
        } catch (RuntimeException e) { // whatever a parser of times or numbers throws
            problems.add("query parameter " + name + " is not allowed: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** A parameter that must be there. */
    public <T> T required(String name, Function<String, T> read, T instead) {
        Optional<T> found = text(name, read);
        if (found.isEmpty() && values.getOrDefault(name, "").isEmpty()) {
            problems.add("query parameter " + name + " is missing");
        }
        return found.orElse(instead);
    }

    /** An integer that may be left out. */
    public Optional<Long> integer(String name, long min, long max) {
        return text(name, value -> {
            try {
                long number = Long.parseLong(value);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // told below, like a number out of range
            }
            throw new IllegalArgumentException("must be an integer from " + min + " to " + max);
        });
    }

    private static String shown(String name) {
        return name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) + "…" : name;
    }

    /** Something is wrong with what was asked. */
    public void wrong(String what) {
        problems.add(what);
    }

    /** Refuses the request if anything was wrong, or something was given that nobody asked for. */
    public void check() {
        for (String name : values.keySet()) {
            if (!asked.contains(name)) {
                problems.add("query parameter '" + shown(name) + "' is not known here");
            }
        }
        problems.check();
    }
}
