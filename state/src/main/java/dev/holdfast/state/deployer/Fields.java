package dev.holdfast.state.deployer;

import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Members of an object by type. Absent and {@code null} are the same; another type is refused, naming the member. */
final class Fields {
    private Fields() {}

    static Optional<Json> any(Json.Obj object, String name) {
        return object.get(name).filter(it -> !it.equals(Json.nil()));
    }

    static Optional<String> text(Json.Obj object, String name) {
        return any(object, name).map(it -> it.text().orElseThrow(() -> refused(name, "text")));
    }

    static Optional<Long> whole(Json.Obj object, String name) {
        return any(object, name).map(it -> {
            if (it instanceof Json.Numeral number && number.literal().matches("-?[0-9]{1,18}")) {
                return Long.parseLong(number.literal());
            }
            throw refused(name, "a whole number");
        });
    }

    static boolean truth(Json.Obj object, String name) {
        if (any(object, name).orElse(Json.of(false)) instanceof Json.Truth truth) {
            return truth.value();
        }
        throw refused(name, "true or false");
    }

    static Optional<Instant> time(Json.Obj object, String name) {
        return text(object, name).map(it -> {
            try {
                return Instant.parse(it);
            } catch (DateTimeParseException e) {
                throw refused(name, "a time such as 2024-01-15T14:20:00Z");
            }
        });
    }

    static Json.Obj object(Json.Obj object, String name) {
        return optional(object, name).orElseGet(Json::object);
    }

    static Optional<Json.Obj> optional(Json.Obj object, String name) {
        return any(object, name).map(it -> object(name, it));
    }

    static Json.Obj object(String name, Json value) {
        if (value instanceof Json.Obj found) {
            return found;
        }
        throw refused(name, "an object");
    }

    static List<Json> items(Json.Obj object, String name) {
        if (any(object, name).orElseGet(() -> new Json.Arr(List.of())) instanceof Json.Arr array) {
            return array.items();
        }
        throw refused(name, "an array");
    }

    static List<String> texts(Json.Obj object, String name) {
        return items(object, name).stream()
                .map(item -> item.text().orElseThrow(() -> refused(name, "an array of texts")))
                .toList();
    }

    static <T> Map<String, T> map(Json.Obj object, String name, Function<Json.Obj, T> view) {
        Map<String, T> map = new LinkedHashMap<>();
        object(object, name)
                .members()
                .forEach((key, value) -> map.put(key, within(name + "." + key, () -> view.apply(object(key, value)))));
        return Collections.unmodifiableMap(map);
    }

    /** Names the place in what is refused inside. */
    static <T> T within(String where, Supplier<T> work) {
        try {
            return work.get();
        } catch (StateInvalidException e) {
            throw new StateInvalidException(where + ": " + e.getMessage());
        }
    }

    static StateInvalidException refused(String name, String expected) {
        return new StateInvalidException("'" + name + "' must be " + expected);
    }
}
