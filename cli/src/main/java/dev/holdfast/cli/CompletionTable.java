package dev.holdfast.cli;

import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.serve.ConfigCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands and options there are, as the completion scripts of shells want them. Hidden ones are left out. */
final class CompletionTable {
    /** Commands that take every setting of the server as a flag, undeclared. */
    private static final Set<String> WITH_SETTINGS = Set.of("serve", "config show");

    private static final List<String> SHORT_SETTINGS =
            List.of("--port", "--host", "--data", "--store", "--config", "--demo");

    /** By path, such as {@code schema print}; the program itself has the empty one. */
    private final Map<String, CommandSpec> commands = new TreeMap<>();

    CompletionTable(CommandLine program) {
        add("", program);
    }

    private void add(String path, CommandLine command) {
        commands.put(path, command.getCommandSpec());
        CommandPage.subcommands(command.getCommandSpec())
                .forEach((name, sub) -> add(path.isEmpty() ? name : path + " " + name, sub.commandLine()));
    }

    /** A {@code case} that bash and zsh both read: sets subs, opts, vals, keys and the words after an option. */
    String posix() {
        StringBuilder text = new StringBuilder();
        commands.forEach((path, command) -> {
            List<OptionSpec> options = visible(command).stream()
                    .filter(option -> option.arity().max() > 0)
                    .toList();
            text.append("        \"" + path + "\")\n");
            set(text, "subs", words(path, command).keySet());
            set(text, "opts", options(path, command));
            set(
                    text,
                    "vals",
                    options.stream().flatMap(it -> Stream.of(it.names())).toList());
            text.append("            keys=" + (takesContext(command) ? 2 : takesLock(command) ? 1 : 0)
                    + "\n            case $2 in\n");
            options.stream()
                    .filter(option -> !values(option).isEmpty())
                    .forEach(option -> text.append("                " + String.join(" | ", option.names())
                            + ") choices=\"" + String.join(" ", values(option)) + "\" ;;\n"));
            text.append("            esac\n            ;;\n");
        });
        return text.toString();
    }

    private static void set(StringBuilder text, String variable, Collection<String> words) {
        text.append("            " + variable + "=\" " + String.join(" ", words) + " \"\n");
    }

    String fish() {
        StringBuilder text = new StringBuilder("set -g __holdfast_paths");
        commands.keySet().stream().filter(path -> !path.isEmpty()).forEach(path -> text.append(" '" + path + "'"));
        text.append('\n');
        commands.forEach((path, command) -> {
            String here = "complete -c holdfast -n \"__holdfast_at '" + path + "'\"";
            words(path, command)
                    .forEach((name, sub) -> text.append(here + " -a " + name + described(summary(sub)) + "\n"));
            for (OptionSpec option : visible(command)) {
                text.append(here);
                for (String name : option.names()) {
                    text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
                }
                List<String> words = words(option);
                text.append(option.arity().max() == 0 ? "" : isFile(option) ? " -r -F" : " -x");
                if (isContext(option)) {
                    text.append(" -a '(__holdfast_contexts)'");
                } else {
                    text.append(words.isEmpty() ? "" : " -a '" + String.join(" ", words) + "'");
                }
                text.append(described(option.description())).append('\n');
            }
            if (takesContext(command)) {
                text.append(here).append(" -a '(__holdfast_contexts)'\n");
            }
            if (takesLock(command)) {
                text.append(here).append(" -a '(__holdfast_names)'\n");
            }
        });
        return text.toString();
    }

    private static String[] summary(CommandSpec command) {
        String[] header = command.usageMessage().header();
        return header.length == 0 ? command.usageMessage().description() : header;
    }

    private static String described(String... lines) {
        if (lines.length == 0) {
            return "";
        }
        String first = lines[0].contains(". ") ? lines[0].substring(0, lines[0].indexOf(". ")) : lines[0];
        return " -d '"
                + first.replace("$$", "$").replace("\\", "").replace("'", "\\'").replaceFirst("\\.$", "") + "'";
    }

    /** The commands that can follow; after {@code help} those of the program. */
    private Map<String, CommandSpec> words(String path, CommandSpec command) {
        return CommandPage.subcommands(path.equals("help") ? command.root() : command);
    }

    private static List<String> options(String path, CommandSpec command) {
        List<String> names = new ArrayList<>();
        visible(command).forEach(option -> names.addAll(List.of(option.names())));
        if (WITH_SETTINGS.contains(path)) {
            names.addAll(SHORT_SETTINGS);
            ConfigCommand.keys().forEach(key -> names.add("--" + key + "="));
        }
        return names.stream().distinct().toList();
    }

    private static List<OptionSpec> visible(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    /** The words an option takes, or a sign for where they come from. */
    private static List<String> values(OptionSpec option) {
        return isFile(option) ? List.of("@file") : isContext(option) ? List.of("@context") : words(option);
    }

    private static List<String> words(OptionSpec option) {
        if (option.completionCandidates() != null) {
            List<String> words = new ArrayList<>();
            option.completionCandidates().forEach(words::add);
            return words;
        }
        Class<?> type = option.auxiliaryTypes().length > 0 ? option.auxiliaryTypes()[0] : option.type();
        return type.isEnum()
                ? Arrays.stream(type.getEnumConstants()).map(String::valueOf).collect(Collectors.toList())
                : List.of();
    }

    private static boolean isFile(OptionSpec option) {
        return option.paramLabel().matches("<?(FILE|DIR|DIRECTORY)>?");
    }

    private static boolean isContext(OptionSpec option) {
        return List.of(option.names()).contains("--context");
    }

    private static boolean takesContext(CommandSpec command) {
        return command.positionalParameters().stream()
                .anyMatch(parameter -> parameter.paramLabel().equals("CONTEXT"));
    }

    private static boolean takesLock(CommandSpec command) {
        return command.positionalParameters().stream()
                .anyMatch(parameter ->
                        parameter.index().min() == 0 && parameter.paramLabel().contains("KEY"));
    }
}
