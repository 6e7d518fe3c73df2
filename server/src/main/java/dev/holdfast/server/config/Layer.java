package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.SettingsCatalog;
import dev.holdfast.server.config.values.FileContent;
import dev.holdfast.server.config.values.Value;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What one source gives: at most one value per setting. */
final class Layer {
    private final Map<Setting<?>, SourceValue> given = new LinkedHashMap<>();
    private final Path workingDirectory;
    private final Problems problems;

    Layer(Path workingDirectory, Problems problems) {
        this.workingDirectory = workingDirectory;
        this.problems = problems;
    }

    Optional<SourceValue> get(Setting<?> setting) {
        return Optional.ofNullable(given.get(setting));
    }

    /** Takes a value; what is wrong with it as a source goes to the problems. */
    void add(SettingsCatalog.Match match, Value value, Origin origin) {
        Optional<Value> content = match.inFile() ? content(match.setting(), value, origin) : Optional.of(value);
        content.ifPresent(found -> add(new SourceValue(match.setting(), found, origin)));
    }

    private void add(SourceValue next) {
        SourceValue first = given.putIfAbsent(next.setting(), next);
        if (first != null && !first.value().written().equals(next.value().written())) {
            problems.add(next.setting() + " is given twice with different values, by " + first.origin() + " and by "
                    + next.origin() + "; keep one");
        }
    }

    private Optional<Value> content(Setting<?> setting, Value path, Origin origin) {
        try {
            return Optional.of(Value.Text.of(FileContent.read(workingDirectory, path)));
        } catch (FileContent.Unreadable e) {
            problems.add(setting + " (" + origin + ") " + e.getMessage());
            return Optional.empty();
        }
    }

    record SourceValue(Setting<?> setting, Value value, Origin origin) {
        /** Never the value: it may be a secret. */
        @Override
        public String toString() {
            return setting + " from " + origin;
        }
    }
}
