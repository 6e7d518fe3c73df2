package dev.holdfast.wire.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** A JSON value that cannot change. Its {@code toString} tells only its kind: documents hold secrets. */
public sealed interface Json {
    static Json nil() {
        return new Null();
    }

    static Json of(String text) {
        return new Text(text);
    }

    static Json of(long number) {
        return new Numeral(Long.toString(number));
    }

    static Json of(boolean value) {
        return new Truth(value);
    }

    static Json of(Optional<String> text) {
        return text.<Json>map(Text::new).orElseGet(Json::nil);
    }

    /** An array of what each item is written as. */
    static <T> Arr array(Collection<T> items, Function<? super T, ? extends Json> each) {
        List<Json> all = new ArrayList<>();
        items.forEach(item -> all.add(each.apply(item)));
        return new Arr(all);
    }

    /** Collects the members of an object. */
    static ObjectBuilder build() {
        return new ObjectBuilder();
    }

    static Obj object() {
        return new Obj(Map.of());
    }

    /** Reads one value; all of the bytes. Throws {@link InvalidJsonException} if it is none. */
    static Json parse(byte[] bytes) {
        return JsonText.read("JSON", bytes, 0, bytes.length);
    }

    // ---- looking into it: what is not there, or is of another kind, is empty

    /** What is found by going down these members; {@link #nil} if nothing is. */
    default Json at(String... path) {
        Json here = this;
        for (String name : path) {
            here = here.members().getOrDefault(name, nil());
        }
        return here;
    }

    default Map<String, Json> members() {
        return Map.of();
    }

    default List<Json> items() {
        return List.of();
    }

    /** What a text says. */
    default Optional<String> text() {
        return Optional.empty();
    }

    default OptionalLong number() {
        return OptionalLong.empty();
    }

    default boolean isTrue() {
        return equals(of(true));
    }

    default boolean isNull() {
        return equals(nil());
    }

    /** A single value as people read it: a text as it is, numbers and truth as they are written; empty for everything else. */
    default String plain() {
        return "";
    }

    /** The same; empty for {@code null} alone. */
    default Optional<String> plainIfAny() {
        return isNull() ? Optional.empty() : Optional.of(plain());
    }

    // ---- writing it

    /** Writes it as one value, members in their order. */
    default void writeTo(JsonGenerator generator) throws IOException {
        JsonText.write(this, false, generator);
    }

    /** Compact, members in their order. */
    default byte[] bytes() {
        return JsonText.write(this, false);
    }

    /** The same as text. */
    default String compact() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** Compact, members sorted by name: equal values have equal bytes. */
    default byte[] canonical() {
        return JsonText.write(this, true);
    }

    /** An object, its members in their order. */
    record Obj(Map<String, Json> members) implements Json {
        /** Keeps its own copy, in the same order. */
        public Obj {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        public Optional<Json> get(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /** The same with this member, at its old place if it had one. */
        public Obj with(String name, Json value) {
            Map<String, Json> changed = new LinkedHashMap<>(members);
            changed.put(name, value);
            return new Obj(changed);
        }

        public Obj without(String name) {
            Map<String, Json> changed = new LinkedHashMap<>(members);
            changed.remove(name);
            return new Obj(changed);
        }

        // ---- reading; what is not there and what is of another kind are both empty

        public Optional<String> text(String name) {
            return at(name).text();
        }

        /** A whole number; of one with a fraction, what is before it. */
        public Optional<Long> number(String name) {
            return decimal(name).map(BigDecimal::longValue);
        }

        public Optional<BigDecimal> decimal(String name) {
            return as(name, Numeral.class).map(number -> new BigDecimal(number.literal()));
        }

        public boolean truth(String name) {
            return at(name).isTrue();
        }

        public Optional<Obj> object(String name) {
            return as(name, Obj.class);
        }

        private <T extends Json> Optional<T> as(String name, Class<T> kind) {
            return get(name).filter(kind::isInstance).map(kind::cast);
        }

        public List<Obj> objects(String name) {
            return at(name).items().stream()
                    .filter(Obj.class::isInstance)
                    .map(Obj.class::cast)
                    .toList();
        }

        public List<String> texts(String name) {
            return at(name).items().stream().flatMap(it -> it.text().stream()).toList();
        }

        /** The texts of an object, by name. */
        public Map<String, String> textsByName(String name) {
            Map<String, String> texts = new LinkedHashMap<>();
            at(name).members().forEach((key, value) -> value.text().ifPresent(text -> texts.put(key, text)));
            return texts;
        }

        @Override
        public String toString() {
            return "object with " + members.size() + " members";
        }
    }

    /** An array, its items in their order. */
    record Arr(List<Json> items) implements Json {
        /** Keeps its own copy. */
        public Arr {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return "array of " + items.size();
        }
    }

    record Text(String value) implements Json {
        @Override
        public Optional<String> text() {
            return Optional.of(value);
        }

        @Override
        public String plain() {
            return value;
        }

        @Override
        public String toString() {
            return "text";
        }
    }

    /** A number, as it was written. */
    record Numeral(String literal) implements Json {
        @Override
        public OptionalLong number() {
            try {
                return OptionalLong.of(Long.parseLong(literal));
            } catch (NumberFormatException e) {
                return OptionalLong.empty(); // a fraction, or larger than any we write
            }
        }

        @Override
        public String plain() {
            return literal;
        }

        @Override
        public String toString() {
            return "number";
        }
    }

    record Truth(boolean value) implements Json {
        @Override
        public String plain() {
            return Boolean.toString(value);
        }
    }

    record Null() implements Json {}
}
