package dev.holdfast.wire.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Collects the members of an object, in their order. */
public final class ObjectBuilder {
    private final Map<String, Json> members = new LinkedHashMap<>();

    ObjectBuilder() {}

    /** Any value. */
    public ObjectBuilder with(String name, Json value) {
        members.put(name, value);
        return this;
    }

    /** Text. */
    public ObjectBuilder with(String name, String text) {
        return with(name, Json.of(text));
    }

    /** Text, or {@code null}. */
    public ObjectBuilder with(String name, Optional<String> text) {
        return with(name, Json.of(text));
    }

    /** A whole number. */
    public ObjectBuilder with(String name, long number) {
        return with(name, Json.of(number));
    }

    /** True or false. */
    public ObjectBuilder with(String name, boolean value) {
        return with(name, Json.of(value));
    }

    /** Text, if there is one; otherwise there is no such member. */
    public ObjectBuilder ifPresent(String name, Optional<String> text) {
        return text.isPresent() ? with(name, text.get()) : this;
    }

    /** The object. */
    public Json.Obj build() {
        return new Json.Obj(members);
    }
}
