package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.SettingsCatalog;
import dev.holdfast.server.config.settings.Suggestion;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code --key=value}, {@code --key value}, and {@code --key} alone for what is true or false. */
final class Flags {
    static final Map<String, String> SHORT =
            Map.of("port", "server.port", "host", "server.host", "data", "server.data", "demo", "server.demo");

    private static final String CONFIG = "config";

    private final List<String> arguments;
    private final Layer layer;
    private final Problems problems;
    private Optional<String> configFile = Optional.empty();

    private Flags(List<String> arguments, Layer layer, Problems problems) {
        this.arguments = arguments;
        this.layer = layer;
        this.problems = problems;
    }

    /** Fills the layer. The answer is the file that {@code --config} names. */
    static Optional<String> read(List<String> arguments, Layer layer, Problems problems) {
        Flags flags = new Flags(arguments, layer, problems);
        int next = 0;
        while (next < arguments.size()) {
            next += flags.take(next);
        }
        return flags.configFile;
    }

    /** Reads one flag; answers how many arguments it took. */
    private int take(int index) {
        String argument = arguments.get(index);
        if (!argument.startsWith("--") || argument.length() == 2) {
            // The argument itself is not repeated: it may be the value of a secret that lost its flag.
            problems.add("argument " + (index + 1) + " is not a flag; write --key=value");
            return 1;
        }
        int equals = argument.indexOf('=');
        if (equals >= 0) {
            set(argument.substring(2, equals), argument.substring(equals + 1));
            return 1;
        }
        String key = argument.substring(2);
        Optional<String> following = Optional.of(index + 1)
                .filter(i -> i < arguments.size())
                .map(arguments::get)
                .filter(text -> !text.startsWith("--"));
        if (following.isPresent() && !(isSwitch(key) && !isBoolean(following.get()))) {
            set(key, following.get());
            return 2;
        }
        if (isSwitch(key)) {
            set(key, "true");
        } else if (match(key).isPresent() || key.equals(CONFIG)) {
            problems.add("flag --" + key + " needs a value: --" + key + "=…");
        } else {
            unknown(key);
        }
        return 1;
    }

    private void set(String key, String value) {
        if (key.equals(CONFIG)) {
            configFile
                    .filter(first -> !first.equals(value))
                    .ifPresent(first -> problems.add("flag --config is given twice; keep one"));
            configFile = Optional.of(value);
            return;
        }
        match(key)
                .ifPresentOrElse(match -> layer.add(match, Value.Text.of(value), Origin.flag(key)), () -> unknown(key));
    }

    private static Optional<SettingsCatalog.Match> match(String key) {
        return SettingsCatalog.find(SHORT.getOrDefault(key, key));
    }

    private void unknown(String key) {
        problems.add("flag --" + ValueRefusal.quoted(key).replace("'", "") + " is unknown"
                + Suggestion.ending(key, name -> "--" + (key.contains(".") ? name : shortened(name))));
    }

    /** As people write it: the short form if there is one. */
    private static String shortened(String name) {
        return SHORT.entrySet().stream()
                .filter(one -> one.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(name);
    }

    private static boolean isSwitch(String key) {
        return match(key)
                .filter(match -> !match.inFile() && match.setting().fallback().orElse(null) instanceof Boolean)
                .isPresent();
    }

    private static boolean isBoolean(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }
}
