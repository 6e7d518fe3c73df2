package dev.holdfast.cli.text;

import dev.holdfast.Stores;
import dev.holdfast.model.RecordKey;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Command lines to show to people: they work when copied, for the same lock at the same place. */
public record NextSteps(CommandSpec spec) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,][A-Za-z0-9_./:@%+=,-]*");

    /** A command about this lock, with these words after its name. */
    public String command(String verb, RecordKey key, String... more) {
        return before(verb) + " " + quoted(KeyText.of(key)) + (more.length == 0 ? "" : " " + String.join(" ", more));
    }

    /** The same without the name of the lock, for commands that want it elsewhere. */
    public String before(String verb) {
        return "holdfast " + verb + place("--context") + place("--server") + place("--store");
    }

    /** Only what was said on the command line: the environment is still there. A password is not shown again. */
    private String place(String option) {
        OptionSpec here = spec.commandLine().getParseResult().matchedOption(option);
        OptionSpec found = here == null ? ofProgram(option) : here;
        return found == null || found.originalStringValues().isEmpty()
                ? ""
                : " " + option + " "
                        + quoted(Stores.masked(found.originalStringValues().get(0)));
    }

    /** Said before the command. */
    private @Nullable OptionSpec ofProgram(String option) {
        ParseResult whole = spec.root().commandLine().getParseResult();
        return whole == null ? null : whole.matchedOption(option);
    }

    /** A command line that runs a command, with {@code --} in front of that, and all words as they were typed. */
    public static String separated(List<String> args, String key, String command) {
        int after = Math.max(0, args.indexOf(key) + 1);
        int at = after + Math.max(0, args.subList(after, args.size()).indexOf(command));
        List<String> words = new ArrayList<>(args);
        words.add(at, "--");
        return "holdfast " + words.stream().map(NextSteps::typed).collect(Collectors.joining(" "));
    }

    /** The same for a word that may be an option. */
    private static String typed(String word) {
        String bare = word.replaceFirst("^-+", "");
        return word.substring(0, word.length() - bare.length())
                + (bare.isEmpty() && !word.isEmpty() ? "" : quoted(bare));
    }

    /** The word with quotes, if a shell needs them. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
