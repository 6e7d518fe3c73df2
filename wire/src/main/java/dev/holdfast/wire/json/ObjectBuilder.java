package dev.holdfast.wire.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Collects the members of an object, in their order. */
public final class ObjectBuilder {
    private final Map<String, Json> members = new LinkedHashMap<>();

    ObjectBuilder() {}

    public ObjectBuilder with(String name, Json value) {
        members.put(name, value);
        return this;
    }

    public ObjectBuilder with(String name, String text) {
        return with(name, Json.of(text));
    }

    public ObjectBuilder with(String name, Optional<String> text) {
        return with(name, Json.of(text));
    }

    public ObjectBuilder with(String name, long number) {
        return with(name, Json.of(number));
    }

    public ObjectBuilder with(String name, boolean value) {
        return with(name, Json.of(value));
    }

    /** Text, if there is one; otherwise there is no such member. */
    public ObjectBuilder ifPresent(String name, Optional<String> text) {
        return text.isPresent() ? with(name, text.get()) : this;
    }

    public Json.Obj build() {
        return new Json.Obj(members);
    }
}
