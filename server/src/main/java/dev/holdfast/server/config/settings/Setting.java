package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueKind;
import dev.holdfast.server.config.values.ValueRefusal;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * One setting of the server. Declared once, as a constant in one of the {@code …Settings} classes; what it is for says {@code
 * descriptions.properties}; its value is in {@code Settings}.
 *
 * @param name such as {@code locks.default-lease}
 * @param defaultText its default as one would write it; empty if there is none
 * @param fallback its default; empty if that depends on other settings
 * @param isSecret whether its value must never be shown
 * @param otherNames names it has in the source documents
 */
public record Setting<T>(
        String name,
        ValueKind<T> kind,
        String defaultText,
        Optional<T> fallback,
        boolean isSecret,
        List<String> otherNames) {
    private static final Properties DESCRIPTIONS = descriptions();

    public Setting {
        otherNames = List.copyOf(otherNames);
        Objects.requireNonNull(DESCRIPTIONS.getProperty(name), () -> name + " has no description");
    }

    /** A setting whose default is written like any value, and checked like one. */
    static <T> Setting<T> of(String name, ValueKind<T> kind, String defaultText) {
        try {
            T fallback = kind.read(Value.Text.of(defaultText));
            return new Setting<>(name, kind, defaultText, Optional.of(fallback), false, List.of());
        } catch (ValueRefusal e) {
            throw new IllegalArgumentException("the default of " + name + " is not allowed: " + e.getMessage(), e);
        }
    }

    static Setting<Boolean> bool(String name, boolean fallback) {
        return of(name, Texts.bool(), Boolean.toString(fallback));
    }

    static Setting<Integer> integer(String name, int least, int most, int fallback) {
        return of(name, Quantities.integer(least, most), Integer.toString(fallback));
    }

    static Setting<Duration> duration(String name, String least, String most, String fallback) {
        return of(name, Quantities.duration(least, most), fallback);
    }

    static Setting<Long> size(String name, String least, String most, String fallback) {
        return of(name, Quantities.size(least, most), fallback);
    }

    /** A setting that may be left out: an empty text means that it is not set. */
    static <T> Setting<Optional<T>> optional(String name, ValueKind<T> kind) {
        return of(name, new OptionalKind<>(kind), "");
    }

    /** A setting whose default depends on others; {@code defaultText} only tells how. */
    static <T> Setting<T> computed(String name, ValueKind<T> kind, String defaultText) {
        return new Setting<>(name, kind, defaultText, Optional.empty(), false, List.of());
    }

    Setting<T> keptSecret() {
        return new Setting<>(name, kind, defaultText, fallback, true, otherNames);
    }

    Setting<T> alsoNamed(String... names) {
        return new Setting<>(name, kind, defaultText, fallback, isSecret, List.of(names));
    }

    /** Which values it takes; completes "must be …". */
    public String allowed() {
        return kind.allowed();
    }

    /** What it is for, in a sentence or two of Markdown. */
    public String description() {
        return DESCRIPTIONS.getProperty(name);
    }

    private static Properties descriptions() {
        Properties all = new Properties();
        try (Reader text = new InputStreamReader(
                Objects.requireNonNull(Setting.class.getResourceAsStream("descriptions.properties")),
                StandardCharsets.UTF_8)) {
            all.load(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    @Override
    public String toString() {
        return name;
    }

    private record OptionalKind<T>(ValueKind<T> kind) implements ValueKind<Optional<T>> {
        @Override
        public Optional<T> read(Value value) throws ValueRefusal {
            boolean empty = value instanceof Value.Text text && text.text().isBlank();
            return empty ? Optional.empty() : Optional.of(kind.read(value));
        }

        @Override
        public String allowed() {
            return kind.allowed() + ", or empty";
        }

        @Override
        public String shown(Value value, Optional<T> read) {
            return read.map(it -> kind.shown(value, it)).orElseGet(value::written);
        }

        @Override
        public boolean mayBeRepeated(Value value) {
            return kind.mayBeRepeated(value);
        }
    }
}
