package dev.holdfast.cli.help;

import dev.holdfast.cli.text.ExitCodes.Codes;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * What there is to say about one command.
 *
 * @param name with those above it, such as {@code holdfast state push}
 * @param text paragraphs; an empty one is an empty line, and one that starts with two blanks stays as it is
 * @param arguments what stands without an option
 */
public record CommandPage(
        String name,
        String summary,
        String synopsis,
        List<String> examples,
        List<String> text,
        List<Entry> arguments,
        List<Section> options,
        List<Section> commands,
        Map<String, String> exitCodes) {
    /** They take the option like all others, but it changes nothing: what they are about is in no namespace, or in one of its own. */
    private static final List<String> WITHOUT_NAMESPACE = List.of("holdfast state", "holdfast guard", "holdfast token");

    private static final String OWN = "Options";
    private static final String PLACE = "Where the locks are";
    private static final String OUTPUT = "Output";

    /** One line of a list: a command, an argument, or an option with its value; and what it means. */
    public record Entry(String name, String text) {}

    /** A part of a list, with the line above it. */
    public record Section(String title, List<Entry> entries) {}

    /** Of this command; those below it in these groups, as far as they are in one. */
    public static CommandPage of(CommandLine command, List<CommandGroup> groups) {
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        return new CommandPage(
                spec.qualifiedName(),
                summary(usage),
                synopsis(spec),
                plain(usage.footer()),
                text(usage),
                arguments(spec),
                options(spec),
                commands(command, groups),
                exitCodes(usage));
    }

    /** By number, where the usual ones are among them. */
    private static Map<String, String> exitCodes(UsageMessageSpec usage) {
        Map<String, String> own = new LinkedHashMap<>();
        usage.exitCodeList().forEach((code, meaning) -> own.put(code.strip(), plain(meaning)));
        if (own.remove(Codes.USUAL.replace(":", "")) == null) {
            return own;
        }
        Map<String, String> all = new TreeMap<>(Comparator.comparingInt(Integer::parseInt));
        Codes.OF_MOST.forEach(code -> all.put(code.replaceFirst(":.*", ""), code.replaceFirst("[^:]*:", "")));
        all.putAll(own);
        return new LinkedHashMap<>(all);
    }

    /** Of a command and all below it that are not hidden, each before those below it. */
    public static List<CommandPage> all(CommandLine program, List<CommandGroup> groups) {
        List<CommandPage> all = new ArrayList<>(List.of(of(program, groups)));
        List<String> names = commands(program, groups).stream()
                .flatMap(section -> section.entries().stream())
                .map(Entry::name)
                .toList();
        program.getSubcommands().entrySet().stream()
                .filter(command -> names.contains(command.getKey()))
                .sorted(Comparator.comparing(command -> names.indexOf(command.getKey())))
                .forEach(command -> all.addAll(all(command.getValue(), groups)));
        return all;
    }

    /** A command that says nothing in one line is known by its first sentence. */
    private static String summary(UsageMessageSpec usage) {
        if (usage.header().length > 0) {
            return plain(usage.header()[0]);
        }
        return usage.description().length == 0
                ? ""
                : plain(usage.description()[0]).replaceFirst("(?s)\\. .*", ".");
    }

    /** Without what the summary has said already. */
    private static List<String> text(UsageMessageSpec usage) {
        List<String> all = plain(usage.description());
        return all.equals(List.of(summary(usage))) ? List.of() : all;
    }

    private static String synopsis(CommandSpec spec) {
        if (spec.usageMessage().customSynopsis().length > 0) {
            return String.join(" ", spec.usageMessage().customSynopsis());
        }
        StringBuilder line = new StringBuilder(spec.qualifiedName());
        List<OptionSpec> shown = shown(spec);
        line.append(shown.stream().allMatch(OptionSpec::required) ? "" : " [OPTIONS]");
        spec.argGroups().forEach(group -> line.append(' ').append(choice(group)));
        shown.stream()
                .filter(option -> option.required() && option.group() == null)
                .forEach(option -> line.append(" " + option.longestName() + " " + option.paramLabel()));
        spec.positionalParameters().stream()
                .filter(it -> !it.hidden())
                .forEach(argument -> line.append(' ').append(label(argument)));
        return line + (spec.subcommands().isEmpty() ? "" : isRunnable(spec) ? " [COMMAND]" : " COMMAND");
    }

    /** One of several options. */
    private static String choice(ArgGroupSpec group) {
        String all = group.options().stream()
                .map(option -> Stream.of(option.names())
                                .filter(name -> name.startsWith("--"))
                                .findFirst()
                                .orElse(option.longestName())
                        + (option.arity().max() == 0 ? "" : " " + option.paramLabel()))
                .collect(Collectors.joining(" | "));
        return group.multiplicity().min() == 0 ? "[" + all + "]" : "(" + all + ")";
    }

    private static boolean isRunnable(CommandSpec spec) {
        return spec.userObject() instanceof Runnable || spec.userObject() instanceof java.util.concurrent.Callable<?>;
    }

    private static String label(PositionalParamSpec argument) {
        String label = argument.paramLabel();
        if (argument.hideParamSyntax()) {
            return label;
        }
        String many = argument.arity().max() > 1 ? label + "..." : label;
        return argument.arity().min() == 0 ? "[" + many + "]" : many;
    }

    private static List<Entry> arguments(CommandSpec spec) {
        return spec.positionalParameters().stream()
                .filter(argument -> !argument.hidden())
                .map(argument -> new Entry(argument.paramLabel(), described(argument)))
                .toList();
    }

    /** Its own first; then what nearly every command has: where the locks are, and how things are shown. */
    private static List<Section> options(CommandSpec spec) {
        return Stream.of(OWN, PLACE, OUTPUT)
                .map(title -> new Section(
                        title,
                        shown(spec).stream()
                                .filter(option -> section(option).equals(title))
                                .map(option -> new Entry(names(option), described(option)))
                                .toList()))
                .filter(section -> !section.entries().isEmpty())
                .toList();
    }

    private static List<OptionSpec> shown(CommandSpec spec) {
        boolean top = spec.parent() == null;
        boolean noNamespace = WITHOUT_NAMESPACE.stream().anyMatch(spec.qualifiedName()::startsWith);
        return spec.options().stream()
                .filter(option -> !option.hidden() && (top || !(option.usageHelp() || option.versionHelp())))
                .filter(option -> !(noNamespace && List.of(option.names()).contains("--namespace")))
                .toList();
    }

    private static String section(OptionSpec option) {
        String declared = option.userObject() instanceof Field field
                ? field.getDeclaringClass().getSimpleName()
                : "";
        return declared.equals("Output") ? OUTPUT : declared.endsWith("Target") ? PLACE : OWN;
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return Arrays.stream(option.names())
                        .sorted((a, b) -> Integer.compare(a.length(), b.length()))
                        .collect(Collectors.joining(", "))
                + value;
    }

    private static String described(ArgSpec argument) {
        String text = plain(String.join(" ", argument.description()));
        return argument.required() && argument.isOption() && argument.group() == null ? text + " Required." : text;
    }

    /** Whether it takes a duration, which is written in a certain way. */
    public boolean hasDurations() {
        return options.stream()
                .flatMap(section -> section.entries().stream())
                .anyMatch(entry -> entry.name().endsWith(" DUR"));
    }

    /** What is directly below a command and not hidden, by name. */
    public static Map<String, CommandSpec> subcommands(CommandSpec command) {
        Map<String, CommandSpec> shown = new LinkedHashMap<>();
        command.subcommands().forEach((name, sub) -> {
            if (!sub.getCommandSpec().usageMessage().hidden()) {
                shown.put(name, sub.getCommandSpec());
            }
        });
        return shown;
    }

    private static List<Section> commands(CommandLine command, List<CommandGroup> groups) {
        Map<String, Entry> left = new LinkedHashMap<>();
        subcommands(command.getCommandSpec())
                .forEach((name, sub) -> left.put(name, new Entry(name, summary(sub.usageMessage()))));
        List<Section> sections = new ArrayList<>();
        if (command.getParent() == null) {
            for (CommandGroup group : groups) {
                List<Entry> entries = group.commands().stream()
                        .map(type ->
                                left.remove(type.getAnnotation(Command.class).name()))
                        .filter(entry -> entry != null)
                        .toList();
                if (!entries.isEmpty()) {
                    sections.add(new Section(group.title(), entries));
                }
            }
        }
        if (!left.isEmpty()) {
            sections.add(new Section("Commands", List.copyOf(left.values())));
        }
        return sections;
    }

    private static List<String> plain(String... lines) {
        return Stream.of(lines).map(line -> plain(line)).toList();
    }

    /** Without what the library for command lines would replace. */
    private static String plain(String text) {
        return text.replace("$$", "$").replace("%%", "%").replace("@|bold ", "").replace("|@", "");
    }
}
