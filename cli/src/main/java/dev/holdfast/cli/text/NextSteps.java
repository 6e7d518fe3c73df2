package dev.holdfast.cli.text;

import dev.holdfast.Stores;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Command lines to show to people: they work when copied, for the same lock at the same place. */
public record NextSteps(CommandSpec spec) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,][A-Za-z0-9_./:@%+=,-]*");

    /** A command about this lock, with these words after its name. */
    public String command(String verb, RecordKey key, String... more) {
        StringBuilder line = new StringBuilder(before(verb, key)).append(' ').append(quoted(key.name()));
        for (String word : more) {
            line.append(' ').append(word);
        }
        return line.toString();
    }

    /** The same without the name of the lock, for commands that want it elsewhere. */
    public String before(String verb, RecordKey key) {
        StringBuilder line = new StringBuilder("holdfast ").append(verb);
        place(line, "--server");
        place(line, "--store");
        if (!key.namespace().equals(LockKey.DEFAULT_NAMESPACE) || System.getenv("HOLDFAST_NAMESPACE") != null) {
            line.append(" -N ").append(key.namespace());
        }
        return line.toString();
    }

    /** Only what was said on the command line: the environment is still there. A password is not shown again. */
    private void place(StringBuilder line, String option) {
        OptionSpec found = spec.commandLine().getParseResult().matchedOption(option);
        if (found != null && !found.originalStringValues().isEmpty()) {
            line.append(' ').append(option).append(' ');
            line.append(quoted(Stores.masked(found.originalStringValues().get(0))));
        }
    }

    /** The word with quotes, if a shell needs them. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
