package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.SettingsCatalog;
import dev.holdfast.server.config.settings.Suggestion;
import dev.holdfast.server.config.values.FileContent;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import dev.holdfast.server.config.values.YamlText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads {@code holdfast.yaml}: nested maps, names with dots, or both. */
record ConfigFile(String shown, Layer layer, Problems problems) {
    /** Taken from the working directory when no other is named. */
    static final String NAME = "holdfast.yaml";

    private static final int MOST_BYTES = 1024 * 1024;

    /** Fills the layer from the named file, or from the usual one if there is one. */
    static void read(Optional<String> named, Path workingDirectory, Layer layer, Problems problems) {
        String name = named.orElse(NAME);
        try {
            Path path = workingDirectory.resolve(name);
            if (named.isPresent() || Files.exists(path)) {
                new ConfigFile(name, layer, problems).read(path);
            }
        } catch (InvalidPathException e) {
            problems.add("--config must name a file, was " + ValueRefusal.quoted(name));
        }
    }

    private void read(Path path) {
        try {
            Value document = YamlText.parse(FileContent.read(path, MOST_BYTES));
            if (document instanceof Value.Fields fields) {
                walk("", fields.fields());
            } else if (!(document instanceof Value.Nothing)) {
                problems.add(shown + " must be a map of settings, was " + document.described());
            }
        } catch (FileContent.Unreadable e) {
            problems.add("the configuration " + e.getMessage());
        } catch (YamlText.Malformed e) {
            problems.add(shown + ":" + e.line() + ":" + e.column() + " " + e.getMessage());
        }
    }

    private void walk(String section, Map<String, Value> fields) {
        fields.forEach((name, value) -> take(section + name, value));
    }

    private void take(String key, Value value) {
        Optional<SettingsCatalog.Match> match = SettingsCatalog.find(key);
        if (match.isPresent()) {
            if (!(value instanceof Value.Nothing)) {
                layer.add(match.get(), value, Origin.file(shown, value.line()));
            }
        } else if (value instanceof Value.Fields fields && !fields.fields().isEmpty()) {
            walk(key + ".", fields.fields());
        } else if (value instanceof Value.Text || value instanceof Value.Items || !SettingsCatalog.isSection(key)) {
            problems.add("unknown key " + ValueRefusal.quoted(key) + " (" + shown + ":" + value.line() + ")"
                    + Suggestion.ending(key, name -> name));
        }
    }
}
