package dev.holdfast.cli.connect;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.NearWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads a file with contexts. Whatever is wrong is said with its line, and nothing is guessed: it is about where locks are taken. */
final class ContextsReader {
    static final String CURRENT = "current-context";
    static final String CONTEXTS = "contexts";

    private static final int MOST_CHARACTERS = 1024 * 1024;

    private final Path file;
    private final Path home;

    private Optional<String> current = Optional.empty();
    private int currentLine;
    private final Map<String, Context> all = new LinkedHashMap<>();

    ContextsReader(Path file, Path home) {
        this.file = file;
        this.home = home;
    }

    Contexts read(String text) {
        Optional<Node> root;
        try {
            root = new Compose(LoadSettings.builder()
                            .setLabel(file.toString())
                            .setCodePointLimit(MOST_CHARACTERS)
                            .build())
                    .composeString(text);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw wrong(line, "this is not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw wrong(1, "this is not YAML: " + e.getMessage());
        }
        root.ifPresent(node -> fields(node, "The file", List.of(CURRENT, CONTEXTS), this::top));
        if (current.isPresent() && !all.containsKey(current.get())) {
            throw wrong(
                    currentLine,
                    CURRENT + " is '" + current.get() + "', and there is no such context."
                            + NearWords.ending(current.get(), all.keySet()));
        }
        return new Contexts(file, current, all);
    }

    private void top(String key, Node value) {
        if (key.equals(CURRENT)) {
            current = Optional.of(text(value, CURRENT)).filter(name -> !name.isEmpty());
            currentLine = line(value);
        } else {
            fields(value, CONTEXTS, List.of(), this::context);
        }
    }

    private void context(String name, Node value) {
        if (!Context.isName(name)) {
            throw wrong(line(value), "'" + name + "' is not a name for a context: " + Context.NAME_RULE);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, Integer> lines = new LinkedHashMap<>();
        List<String> known = new ArrayList<>(Context.KEYS);
        known.add("token"); // to say more about it than that it is unknown
        fields(value, "context '" + name + "'", known, (key, setting) -> {
            if (key.equals("token")) {
                throw wrong(
                        line(setting),
                        "context '" + name
                                + "' has a token in it. Write it into a file that only you can read, name that"
                                + " with token-file, and remove this line");
            }
            settings.put(key, setting(key, setting));
            lines.put(key, line(setting));
        });
        boolean one = settings.containsKey(Context.SERVER) != settings.containsKey(Context.STORE);
        if (!one) {
            throw wrong(line(value), "context '" + name + "' needs either server or store");
        }
        all.put(name, new Context(name, settings, lines));
    }

    private String setting(String key, Node value) {
        if (key.equals(Context.SERVER) && value instanceof SequenceNode several) {
            return String.join(
                    ",", several.getValue().stream().map(it -> text(it, key)).toList());
        }
        String text = text(value, key);
        if (text.isBlank()) {
            throw wrong(line(value), key + " is empty");
        }
        Path directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(home);
        if (Context.FILES.contains(key)) {
            return Context.located(text, directory, home);
        }
        return key.equals(Context.STORE)
                ? StoreFile.located(text, path -> Context.located(path, directory, home))
                : text;
    }

    private String text(Node value, String key) {
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue().equals("null") || scalar.getValue().equals("~") ? "" : scalar.getValue();
        }
        throw wrong(line(value), key + " must be one word, not a list or a map");
    }

    /** Each field of a map once; names other than these are refused, if there are any. */
    private void fields(Node node, String what, List<String> known, BiConsumer<String, Node> each) {
        if (node instanceof ScalarNode scalar && scalar.getValue().isEmpty()) {
            return; // nothing below it
        }
        if (!(node instanceof MappingNode map)) {
            throw wrong(line(node), what + " must have fields, such as 'server: https://locks.example.com'");
        }
        List<String> seen = new ArrayList<>();
        for (NodeTuple field : map.getValue()) {
            String key = text(field.getKeyNode(), what);
            if (!known.isEmpty() && !known.contains(key)) {
                throw wrong(
                        line(field.getKeyNode()),
                        "unknown key '" + key + "'." + NearWords.ending(key, known) + " There are: "
                                + String.join(
                                        ", ",
                                        known.stream()
                                                .filter(it -> !it.equals("token"))
                                                .toList()));
            }
            if (seen.contains(key)) {
                throw wrong(line(field.getKeyNode()), "'" + key + "' is there twice");
            }
            seen.add(key);
            each.accept(key, field.getValueNode());
        }
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    private CommandException wrong(int line, String what) {
        return Contexts.wrong(file + ":" + line + ": " + what);
    }
}
