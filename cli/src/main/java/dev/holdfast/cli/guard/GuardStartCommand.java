package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.wire.json.Json;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast guard start}. */
@Command(
        name = "start",
        description = {
            "Says that an app is about to need what it uses: that is started, and not stopped under it.",
            "Start the app when this says 'started'."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            "0:Everything it uses runs.",
            Codes.FAILURE,
            Codes.USAGE,
            Codes.REFUSED,
            "6:Something it uses does not run yet.",
            Codes.UNREACHABLE
        })
final class GuardStartCommand extends StopStartCommand {
    @Override
    Json ask(GuardAnswers guards, String app, boolean dryRun) throws InterruptedException {
        return guards.start(app, dryRun);
    }

    @Override
    boolean isDone(List<Json> decisions) {
        return decisions.stream()
                .allMatch(decision -> decision.at("decision").plain().equals("started"));
    }
}
