package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.values.Kind;
import dev.holdfast.server.config.values.OptionalKind;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import java.util.List;
import java.util.Optional;

/**
 * One setting of the server: its name, which values it takes, and its default. Declared once, as a constant in one of the
 * {@code …Settings} classes; its value is in {@link Settings}.
 */
public final class Setting<T> {
    private final String name;
    private final Kind<T> kind;
    private final String defaultText;
    private final Optional<T> fallback;
    private final String description;
    private final boolean secret;
    private final List<String> otherNames;

    private Setting(
            String name,
            Kind<T> kind,
            String defaultText,
            Optional<T> fallback,
            String description,
            boolean secret,
            List<String> otherNames) {
        this.name = name;
        this.kind = kind;
        this.defaultText = defaultText;
        this.fallback = fallback;
        this.description = description;
        this.secret = secret;
        this.otherNames = List.copyOf(otherNames);
    }

    /** A setting whose default is written like any value, and checked like one. */
    static <T> Setting<T> of(String name, Kind<T> kind, String defaultText, String description) {
        try {
            T fallback = kind.read(Value.Text.of(defaultText));
            return new Setting<>(name, kind, defaultText, Optional.of(fallback), description, false, List.of());
        } catch (ValueRefusal e) {
            throw new IllegalArgumentException("the default of " + name + " is not allowed: " + e.getMessage(), e);
        }
    }

    /** A setting that may be left out. */
    static <T> Setting<Optional<T>> optional(String name, Kind<T> kind, String description) {
        return of(name, new OptionalKind<>(kind), "", description);
    }

    /** A setting whose default depends on others; {@code defaultText} only tells how. */
    static <T> Setting<T> computed(String name, Kind<T> kind, String defaultText, String description) {
        return new Setting<>(name, kind, defaultText, Optional.empty(), description, false, List.of());
    }

    Setting<T> keptSecret() {
        return new Setting<>(name, kind, defaultText, fallback, description, true, otherNames);
    }

    /** The same, found under other names too. */
    Setting<T> alsoNamed(String... names) {
        return new Setting<>(name, kind, defaultText, fallback, description, secret, List.of(names));
    }

    /** Its name, such as {@code locks.default-lease}. */
    public String name() {
        return name;
    }

    /** Its default as one would write it; empty if there is none. */
    public String defaultText() {
        return defaultText;
    }

    /** Which values it takes; completes "must be …". */
    public String allowed() {
        return kind.allowed();
    }

    public String description() {
        return description;
    }

    /** Whether its value must never be shown. */
    public boolean isSecret() {
        return secret;
    }

    /** Names it has in the source documents. */
    public List<String> otherNames() {
        return otherNames;
    }

    public Kind<T> kind() {
        return kind;
    }

    public Optional<T> fallback() {
        return fallback;
    }

    @Override
    public String toString() {
        return name;
    }
}
