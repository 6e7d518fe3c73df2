package dev.holdfast.guard.wire;

import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Members of an object. One that is missing or of another kind is never taken for something else: it is named. */
public final class Members {
    private Members() {}

    /** A text. */
    public static String text(Json json, String name) {
        return optional(json, name).orElseThrow(() -> new IllegalArgumentException("it has no '" + name + "'"));
    }

    /** A text that may be missing. */
    public static Optional<String> optional(Json json, String name) {
        return present(json, name).map(found -> found.text().orElseThrow(() -> wrong(name)));
    }

    /** A whole number that may be missing. */
    public static OptionalLong number(Json json, String name) {
        return present(json, name).stream()
                .mapToLong(found -> found.number().orElseThrow(() -> wrong(name)))
                .findFirst();
    }

    /** A small number that may be missing. */
    public static OptionalInt integer(Json json, String name) {
        return number(json, name).stream().mapToInt(Math::toIntExact).findFirst();
    }

    /** A time. */
    public static Instant time(Json json, String name) {
        return Instant.parse(text(json, name));
    }

    /** A time that may be missing. */
    public static Optional<Instant> optionalTime(Json json, String name) {
        return optional(json, name).map(Instant::parse);
    }

    /** A constant, by its name in lower case. */
    public static <E extends Enum<E>> E word(Json json, String name, Class<E> type) {
        return Enum.valueOf(type, text(json, name).toUpperCase(Locale.ROOT));
    }

    /** The items of a list, none if it is missing. */
    public static <T> List<T> all(Json json, String name, Function<Json, T> each) {
        return json.at(name).items().stream().map(each).toList();
    }

    /** The texts of a list. */
    public static List<String> texts(Json json, String name) {
        return all(json, name, item -> item.text().orElseThrow(() -> wrong(name)));
    }

    /** A list of texts. */
    public static Json texts(Collection<String> texts) {
        return Json.array(texts, Json::of);
    }

    static Json time(Optional<Instant> time) {
        return Json.of(time.map(Rfc3339::text));
    }

    static Json code(OptionalInt code) {
        return code.isPresent() ? Json.of(code.getAsInt()) : Json.nil();
    }

    private static Optional<Json> present(Json json, String name) {
        return Optional.of(json.at(name)).filter(found -> !found.isNull());
    }

    private static IllegalArgumentException wrong(String name) {
        return new IllegalArgumentException("its '" + name + "' is of another kind");
    }
}
