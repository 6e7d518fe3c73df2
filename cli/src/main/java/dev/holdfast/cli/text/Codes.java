package dev.holdfast.cli.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the help of commands says about their exit codes; the numbers are those of {@link ExitCodes}. */
public final class Codes {
    private static final String HEADING = "%nExit codes:%n";
    public static final String OK = "0:Done.";
    public static final String FAILURE = "1:It did not work; the reason is on standard error.";
    public static final String USAGE = "2:Something on the command line is wrong.";
    public static final String REFUSED = "4:The server does not know who asks, or does not allow it.";
    public static final String NOT_CONFIRMED = "5:Not confirmed; nothing was done.";
    public static final String UNREACHABLE = "69:The server or store cannot be reached.";
    public static final String BUSY = "75:Another holds it; it was not free in time.";
    public static final String LOST = "76:The acquisition of this lease id had ended before.";

    private Codes() {}

    /** Commands that say nothing of their own have the usual ones. */
    public static void fillIn(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage().exitCodeListHeading(HEADING);
        if (usage.exitCodeList().isEmpty()) {
            Map<String, String> usual = new LinkedHashMap<>();
            for (String line : List.of(OK, FAILURE, USAGE)) {
                usual.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1));
            }
            usage.exitCodeList(usual);
        }
        command.getSubcommands().values().forEach(Codes::fillIn);
    }
}
