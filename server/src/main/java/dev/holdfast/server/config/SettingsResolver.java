package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.SettingsCatalog;
import dev.holdfast.server.config.values.ValueRefusal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings while they are made: values found so far, and which were refused. */
final class SettingsResolver {
    private final Map<Setting<?>, Entry> entries = new HashMap<>();
    private final Set<Setting<?>> refused = new HashSet<>();
    private final List<Layer> layers;
    private final Problems problems;

    /** Reads, for each setting, the value of the first source that gives one. */
    SettingsResolver(List<Layer> layers, Problems problems) {
        this.layers = layers;
        this.problems = problems;
        SettingsCatalog.ALL.forEach(this::resolve);
    }

    private <T> void resolve(Setting<T> setting) {
        Optional<Layer.SourceValue> given =
                layers.stream().flatMap(layer -> layer.get(setting).stream()).findFirst();
        if (given.isPresent()) {
            read(setting, given.get());
        } else {
            setting.fallback()
                    .ifPresent(value -> entries.put(setting, new Entry(value, setting.defaultText(), Origin.DEFAULT)));
        }
    }

    private <T> void read(Setting<T> setting, Layer.SourceValue given) {
        try {
            T value = setting.kind().read(given.value());
            put(setting, value, setting.kind().shown(given.value(), value), given.origin());
        } catch (ValueRefusal e) {
            problems.refused(given, e);
            refused.add(setting);
        }
    }

    <T> void put(Setting<T> setting, T value, String shown, Origin origin) {
        entries.put(setting, new Entry(value, setting.isSecret() && !shown.isEmpty() ? "***" : shown, origin));
    }

    /** The value, unless it was refused, or is computed and not there yet. */
    <T> Optional<T> get(Setting<T> setting) {
        return Optional.ofNullable(entries.get(setting)).map(entry -> entry.valueOf(setting));
    }

    /** The same of a setting that may be left empty: also empty if it was. */
    <T> Optional<T> optional(Setting<? extends Optional<? extends T>> setting) {
        Entry entry = entries.get(setting);
        return entry == null ? Optional.empty() : entry.valueOf(setting).map(value -> value);
    }

    /** Which sources give something, strongest first. */
    List<Layer> layers() {
        return layers;
    }

    /** Whether a source gives a value, right or wrong. */
    boolean isGiven(Setting<?> setting) {
        return layers.stream().anyMatch(layer -> layer.get(setting).isPresent());
    }

    /** Whether none was refused: only then can anything be said about how they fit together. */
    boolean areSound(Setting<?>... settings) {
        return Set.of(settings).stream().noneMatch(refused::contains);
    }

    /** Where its value came from; a default if there is none, or none yet. */
    Origin originOf(Setting<?> setting) {
        return Optional.ofNullable(entries.get(setting)).map(Entry::origin).orElse(Origin.DEFAULT);
    }

    Map<Setting<?>, Entry> entries() {
        return Map.copyOf(entries);
    }

    /**
     * A value that was accepted.
     *
     * @param shown the value for people, without secrets
     */
    record Entry(Object value, String shown, Origin origin) {
        @SuppressWarnings("unchecked") // put() and resolve() pair a setting only with a value of its own type
        <T> T valueOf(Setting<T> setting) {
            return (T) value;
        }

        /** Never the value: it may be a secret. */
        @Override
        public String toString() {
            return shown + " from " + origin;
        }
    }
}
