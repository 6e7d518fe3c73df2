package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.wire.json.Json;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast guard stop}. */
@Command(
        name = "stop",
        description = {
            "Says that an app no longer needs what it uses, and stops what nobody needs. The app itself is not stopped.",
            "What cannot be stopped now is stopped later, by the servers on this store."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            "0:It is stored and was judged; the decisions say what came of it.",
            Codes.FAILURE,
            Codes.USAGE,
            Codes.REFUSED,
            Codes.UNREACHABLE
        })
final class GuardStopCommand extends StopStartCommand {
    @Override
    Json ask(GuardAnswers guards, String app, boolean dryRun) throws InterruptedException {
        return guards.stop(app, dryRun);
    }

    /** What must not be stopped now is stopped later: that it was judged is enough. */
    @Override
    boolean isDone(List<Json> decisions) {
        return true;
    }
}
