package dev.holdfast.guard.wire;

import dev.holdfast.guard.Registration;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Members of an object. One that is missing or of another kind is never taken for something else: it is named. */
public final class Members {
    private Members() {}

    public static String text(Json json, String name) {
        return optional(json, name).orElseThrow(() -> new IllegalArgumentException("it has no '" + name + "'"));
    }

    public static Optional<String> optional(Json json, String name) {
        return present(json, name).map(found -> found.text().orElseThrow(() -> wrong(name)));
    }

    public static OptionalLong number(Json json, String name) {
        return present(json, name).stream()
                .mapToLong(found -> found.number().orElseThrow(() -> wrong(name)))
                .findFirst();
    }

    public static OptionalInt integer(Json json, String name) {
        return number(json, name).stream().mapToInt(Math::toIntExact).findFirst();
    }

    public static Instant time(Json json, String name) {
        return Instant.parse(text(json, name));
    }

    public static Optional<Instant> optionalTime(Json json, String name) {
        return optional(json, name).map(Instant::parse);
    }

    /** A constant, by its name in any letters. A newer version may have more of them. */
    public static <E extends Enum<E>> E word(Json json, String name, Class<E> type) {
        String word = text(json, name);
        return constant(type, word).orElseThrow(() -> unknown(name, word));
    }

    /** A constant for people to look at, if it is there and known: one that came later is left out. */
    public static <E extends Enum<E>> Optional<E> optionalWord(Json json, String name, Class<E> type) {
        return optional(json, name).flatMap(word -> constant(type, word));
    }

    private static <E extends Enum<E>> Optional<E> constant(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> one.name().equalsIgnoreCase(word))
                .findFirst();
    }

    /** What only a newer version can read. */
    public static StoreUnusableException unknown(String name, String value) {
        return new StoreUnusableException(
                "This version of Holdfast does not know the " + name + " '" + Registration.shown(value)
                        + "'; upgrade it",
                null);
    }

    /** The items of a list, none if it is missing. */
    public static <T> List<T> all(Json json, String name, Function<Json, T> each) {
        return json.at(name).items().stream().map(each).toList();
    }

    public static List<String> texts(Json json, String name) {
        return all(json, name, item -> item.text().orElseThrow(() -> wrong(name)));
    }

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
