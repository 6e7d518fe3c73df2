package dev.holdfast.server.auth.jwt;

import dev.holdfast.server.auth.Glob;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the claims of a JWT must be: each that is named must be there, and match one of its patterns. A list matches if one of its
 * entries does; an object never does. {@code a.b} means the field {@code b} of the object {@code a}, unless there is a claim of that
 * whole name.
 */
public record ClaimRules(Map<String, List<Glob>> claims) {
    public static final ClaimRules NONE = new ClaimRules(Map.of());

    public ClaimRules {
        Map<String, List<Glob>> copy = new LinkedHashMap<>();
        claims.forEach((claim, patterns) -> copy.put(claim, List.copyOf(patterns)));
        claims = Map.copyOf(copy);
    }

    public static ClaimRules spelled(Map<String, ? extends Collection<String>> spelled) {
        Map<String, List<Glob>> claims = new LinkedHashMap<>();
        spelled.forEach((claim, patterns) ->
                claims.put(claim, patterns.stream().map(Glob::new).toList()));
        return new ClaimRules(claims);
    }

    /** A claim that is not as it must be, the first by name; empty if all are. */
    public Optional<String> mismatch(Map<String, Object> token) {
        return claims.entrySet().stream()
                .filter(rule -> !matches(find(rule.getKey(), token), rule.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst();
    }

    private static boolean matches(@Nullable Object value, List<Glob> patterns) {
        if (value instanceof Collection<?> list) {
            return list.stream().anyMatch(entry -> !(entry instanceof Collection) && matches(entry, patterns));
        }
        Optional<String> text = text(value);
        return text.isPresent() && patterns.stream().anyMatch(pattern -> pattern.matches(text.get()));
    }

    /** Truths and whole numbers as they stand in JSON; what has many spellings there, such as 1.0, is nothing to compare. */
    private static Optional<String> text(@Nullable Object value) {
        boolean scalar = value instanceof String
                || value instanceof Boolean
                || value instanceof Long
                || value instanceof Integer;
        return scalar ? Optional.of(String.valueOf(value)) : Optional.empty();
    }

    private static @Nullable Object find(String name, Map<String, Object> token) {
        if (token.containsKey(name)) {
            return token.get(name);
        }
        Object found = token;
        for (String step : name.split("\\.", -1)) {
            found = found instanceof Map<?, ?> object ? object.get(step) : null;
        }
        return found;
    }
}
