package dev.holdfast.guard.wire;

import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** What the shapes of this package have in common. */
final class Members {
    private Members() {}

    static String text(Json json, String name) {
        return json.at(name).text().orElseThrow(() -> missing(name));
    }

    static long number(Json json, String name) {
        return json.at(name).number().orElseThrow(() -> missing(name));
    }

    static Instant time(Json json, String name) {
        return Instant.parse(text(json, name));
    }

    static Optional<Instant> optionalTime(Json json, String name) {
        return json.at(name).text().map(Instant::parse);
    }

    static <E extends Enum<E>> E word(Json json, String name, Class<E> type) {
        return Enum.valueOf(type, text(json, name).toUpperCase(Locale.ROOT));
    }

    static List<String> texts(Json json, String name) {
        return json.at(name).items().stream()
                .flatMap(item -> item.text().stream())
                .toList();
    }

    static Json texts(List<String> texts) {
        return Json.array(texts, Json::of);
    }

    static Json time(Optional<Instant> time) {
        return Json.of(time.map(Rfc3339::text));
    }

    static Json code(OptionalInt code) {
        return code.isPresent() ? Json.of(code.getAsInt()) : Json.nil();
    }

    static OptionalInt code(Json json) {
        return json.at("http_code").number().stream().mapToInt(Math::toIntExact).findFirst();
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException("it has no '" + name + "'");
    }
}
