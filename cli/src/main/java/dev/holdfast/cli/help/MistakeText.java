package dev.holdfast.cli.help;

import dev.holdfast.cli.text.NearWords;
import dev.holdfast.cli.text.NextSteps;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, and what was probably meant. */
public final class MistakeText {
    /** What people who know other tools type first. */
    private static final Map<String, List<String>> ELSEWHERE = Map.ofEntries(
            Map.entry("list", List.of("ls")),
            Map.entry("locks", List.of("ls")),
            Map.entry("ps", List.of("ls")),
            Map.entry("lock", List.of("exec", "acquire")),
            Map.entry("flock", List.of("exec")),
            Map.entry("run", List.of("exec", "state run")),
            Map.entry("take", List.of("acquire")),
            Map.entry("extend", List.of("renew")),
            Map.entry("refresh", List.of("renew")),
            Map.entry("keepalive", List.of("renew")),
            Map.entry("force-unlock", List.of("unlock")),
            Map.entry("free", List.of("release", "unlock")),
            Map.entry("status", List.of("get", "ls", "doctor")),
            Map.entry("show", List.of("get")),
            Map.entry("info", List.of("get")),
            Map.entry("describe", List.of("explain")),
            Map.entry("why", List.of("explain")),
            Map.entry("who", List.of("explain")),
            Map.entry("events", List.of("watch", "history")),
            Map.entry("log", List.of("history")),
            Map.entry("logs", List.of("history")),
            Map.entry("audit", List.of("history")),
            Map.entry("tail", List.of("watch")),
            Map.entry("server", List.of("serve")),
            Map.entry("start", List.of("serve", "guard start")),
            Map.entry("stop", List.of("guard stop")),
            Map.entry("init", List.of("schema migrate")),
            Map.entry("gc", List.of("cleanup")),
            Map.entry("prune", List.of("cleanup")),
            Map.entry("login", List.of("context set", "token create")),
            Map.entry("contexts", List.of("context ls")),
            Map.entry("settings", List.of("config keys")),
            Map.entry("man", List.of("help")),
            Map.entry("remove", List.of("rm")),
            Map.entry("delete", List.of("rm")),
            Map.entry("create", List.of("set")),
            Map.entry("save", List.of("push")),
            Map.entry("download", List.of("pull")),
            Map.entry("import", List.of("push")));

    private static final Pattern NUMBER = Pattern.compile(
            "(?s)Invalid value for ((?:option|positional parameter) .*): '(.*)' is not an? (int|long|short|byte)");
    private static final Pattern CHOICE = Pattern.compile(
            "(?s)Invalid value for ((?:option|positional parameter) .*): expected one of \\[(.*)] \\(case-(?:in)?sensitive\\) but was '(.*)'");
    private static final Pattern VALUE =
            Pattern.compile("(?s)Invalid value for ((?:option|positional parameter) .*?): (.*)");
    private static final Pattern PLACE =
            Pattern.compile("(?:option '([^']*)'|positional parameter(?: at index [0-9.*]+)?)(?: \\(<?(.*?)>?\\))?");
    private static final Pattern PAIR =
            Pattern.compile("(?s)Value for option (option .*) should be in (\\S+) format but was (.*)");
    private static final Pattern TWICE =
            Pattern.compile("option '([^']*)'(?: \\(.*\\))? should be specified only once");

    private MistakeText() {}

    /** Whether only the command is missing: then the list of them is more helpful than a complaint. */
    public static boolean isCommandMissing(ParameterException mistake) {
        return String.valueOf(mistake.getMessage()).startsWith("Missing required subcommand");
    }

    /** In a sentence or two, in the words of the command line. */
    public static String of(ParameterException mistake, List<String> args) {
        if (mistake instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(unmatched, args);
        }
        if (mistake instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            return missing(missing);
        }
        return value(mistake);
    }

    private static String unmatched(UnmatchedArgumentException mistake, List<String> args) {
        CommandLine command = mistake.getCommandLine();
        String word = mistake.getUnmatched().get(0);
        if (word.startsWith("-") && word.length() > 1) {
            return option(command, word) + separated(command, args);
        }
        String name = command.getCommandSpec().qualifiedName();
        if (command.getSubcommands().isEmpty()) {
            String words = mistake.getUnmatched().stream()
                    .filter(it -> !it.startsWith("-"))
                    .map(it -> "'" + it + "'")
                    .collect(Collectors.joining(" "));
            return "'" + name + "' does not take the word" + (words.contains(" ") ? "s " : " ") + words + ".";
        }
        return "There is no command '" + (command.getParent() == null ? "" : path(command) + " ") + word + "'."
                + command(command, word);
    }

    private static String option(CommandLine command, String word) {
        String name = word.replaceFirst("=.*", "");
        List<String> known = command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .flatMap(option -> Arrays.stream(option.names()))
                .filter(it -> it.startsWith("--") || name.length() == 2)
                .toList();
        List<String> meant = name.startsWith("--") ? NearWords.near(name, known) : List.of();
        return "'" + command.getCommandSpec().qualifiedName() + "' has no option '" + name + "'."
                + NearWords.ending(meant);
    }

    /** Of a command that runs another: whose options these are is only clear after {@code --}. */
    private static String separated(CommandLine command, List<String> args) {
        boolean runs = command.getCommandSpec().positionalParameters().stream()
                .anyMatch(argument -> argument.paramLabel().equals("COMMAND"));
        if (!runs || args.contains("--")) {
            return "";
        }
        List<String> words = command.getParseResult() == null
                ? List.of()
                : command.getParseResult().matchedPositionals().stream()
                        .flatMap(argument -> argument.originalStringValues().stream())
                        .toList();
        return words.size() < 2
                ? ""
                : " If it is one of '" + words.get(1) + "', put -- in front of that: "
                        + NextSteps.separated(args, words.get(0), words.get(1));
    }

    /** What was probably meant by a word that is no command. */
    public static String command(CommandLine above, String word) {
        Set<String> there = CommandPage.subcommands(above.getCommandSpec()).keySet();
        List<String> known = ELSEWHERE.getOrDefault(word, List.of()).stream()
                .filter(meant -> there.contains(meant.replaceFirst(" .*", "")))
                .toList();
        String before = above.getParent() == null ? "" : path(above) + " ";
        List<String> meant = known.isEmpty() ? NearWords.near(word, there) : known;
        return NearWords.ending(meant.stream().map(it -> before + it).toList());
    }

    private static String path(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^\\S+ ", "");
    }

    private static String missing(MissingParameterException mistake) {
        String all = mistake.getMissing().stream().map(MistakeText::label).collect(Collectors.joining(" and "));
        String message = String.valueOf(mistake.getMessage());
        if (message.startsWith("Error: Missing required argument")) { // one of a group: the message lists them
            return message.replaceFirst("Error: Missing required argument\\(s\\): ", "Missing: ")
                            .replace("=", " ") + ".";
        }
        if (message.startsWith("Missing required parameter for option") || message.startsWith("Expected parameter")) {
            return label(mistake.getMissing().get(0)) + " needs a value.";
        }
        return "Missing: " + all + ".";
    }

    private static String label(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.longestName() + (option.arity().max() == 0 ? "" : " " + option.paramLabel())
                : argument.paramLabel();
    }

    private static String value(ParameterException mistake) {
        String message = String.valueOf(mistake.getMessage());
        Matcher number = NUMBER.matcher(message);
        if (number.matches()) {
            return place(number.group(1)) + " takes a whole number, not '" + number.group(2) + "'.";
        }
        Matcher choice = CHOICE.matcher(message);
        if (choice.matches()) {
            List<String> known = List.of(choice.group(2).split(", ", -1));
            return place(choice.group(1)) + " takes " + String.join(", ", known) + "; not '" + choice.group(3) + "'."
                    + NearWords.ending(choice.group(3), known);
        }
        Matcher other = VALUE.matcher(message);
        if (other.matches()) {
            return place(other.group(1)) + ": " + other.group(2);
        }
        Matcher pair = PAIR.matcher(message);
        if (pair.matches()) {
            return place(pair.group(1)) + " takes " + pair.group(2) + ", not '" + pair.group(3) + "'.";
        }
        Matcher twice = TWICE.matcher(message);
        return twice.find() ? twice.group(1) + " can be given only once." : message.replaceFirst("^Error: ", "");
    }

    /** {@code option '--lease' (<lease>)} as people know it: {@code --lease}; an argument by its name. */
    private static String place(String place) {
        Matcher found = PLACE.matcher(place);
        if (!found.matches()) {
            return place;
        }
        return found.group(1) == null ? String.valueOf(found.group(2)) : found.group(1);
    }
}
