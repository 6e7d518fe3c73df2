package dev.holdfast.wire;

import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** What an answer must have. That something is missing is a failure that names the field: then it is another program that answers. */
public final class AnswerFields {
    private AnswerFields() {}

    /** An answer, which must be an object. */
    public static Json.Obj of(byte[] bytes) {
        try {
            if (Json.parse(bytes) instanceof Json.Obj object) {
                return object;
            }
        } catch (InvalidJsonException e) {
            throw new StoreUnusableException("the answer is not a JSON object; is this a Holdfast server?", e);
        }
        throw new StoreUnusableException("the answer is not a JSON object; is this a Holdfast server?", null);
    }

    public static String text(Json.Obj from, String name) {
        return from.text(name).orElseThrow(() -> missing(name));
    }

    public static long number(Json.Obj from, String name) {
        return from.number(name).orElseThrow(() -> missing(name));
    }

    public static Json.Obj object(Json.Obj from, String name) {
        return from.object(name).orElseThrow(() -> missing(name));
    }

    /** A list, which may be empty, but not be missing. */
    public static List<Json.Obj> objects(Json.Obj from, String name) {
        if (!(from.at(name) instanceof Json.Arr)) {
            throw missing(name);
        }
        return from.objects(name);
    }

    public static Json.Obj first(Json.Obj from, String name) {
        return from.objects(name).stream().findFirst().orElseThrow(() -> missing(name));
    }

    public static Instant time(Json.Obj from, String name) {
        return optionalTime(from, name).orElseThrow(() -> missing(name));
    }

    /** A time that may be missing, but not be something else. */
    public static Optional<Instant> optionalTime(Json.Obj from, String name) {
        try {
            return from.text(name).map(Instant::parse);
        } catch (DateTimeParseException e) {
            throw new StoreUnusableException("field '" + name + "' of the answer is not a time", e);
        }
    }

    private static StoreUnusableException missing(String name) {
        return new StoreUnusableException(
                "field '" + name + "' is missing in the answer; is this a Holdfast server of this version?", null);
    }
}
