package dev.holdfast.server.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The query of a request, asked for one by one; {@link #check()} tells all that is wrong at once. */
public final class Query {

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Problem.Collector problems = new Problem.Collector();
    private final Set<String> asked = new HashSet<>();
    /** Those that may be given more than once. */
    private final Set<String> several = new HashSet<>();

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
            values.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
    }

    private static String decode(String text) {
        return Percent.decode(text.replace('+', ' '), "the query");
    }

    /** A parameter that may be left out; an empty one counts as left out. */
    public <T> Optional<T> text(String name, Function<String, T> read) {
        asked.add(name);
        return read(name, first(name), read);
    }

    /** A parameter that may be given several times, or once with commas between; empty ones count as left out. */
    public <T> List<T> list(String name, Function<String, T> read) {
        asked.add(name);
        several.add(name);
        List<T> found = new ArrayList<>();
        for (String given : values.getOrDefault(name, List.of())) {
            for (String one : given.split(",", -1)) {
                read(name, one, read).ifPresent(found::add);
            }
        }
        return List.copyOf(found);
    }

    private <T> Optional<T> read(String name, String value, Function<String, T> read) {
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(value));
        } catch (RuntimeException e) { // whatever a parser of times or numbers throws
            problems.add("query parameter " + name + " is not allowed: " + e.getMessage());
            return Optional.empty();
        }
    }

    private String first(String name) {
        return values.getOrDefault(name, List.of("")).get(0);
    }

    public <T> T required(String name, Function<String, T> read, T instead) {
        Optional<T> found = text(name, read);
        if (found.isEmpty() && first(name).isEmpty()) {
            problems.add("query parameter " + name + " is missing");
        }
        return found.orElse(instead);
    }

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

    public void wrong(String what) {
        problems.add(what);
    }

    /** Refuses the request if anything was wrong, or something was given that nobody asked for. */
    public void check() {
        values.forEach((name, given) -> {
            if (given.size() > 1 && !several.contains(name)) {
                problems.add("query parameter '" + JsonFields.shown(name) + "' is given twice");
            }
            if (!asked.contains(name)) {
                problems.add("query parameter '" + JsonFields.shown(name) + "' is unknown");
            }
        });
        problems.check();
    }
}
