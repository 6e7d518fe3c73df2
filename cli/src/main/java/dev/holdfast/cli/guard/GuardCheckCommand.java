package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.wire.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast guard check}: what a stop would do. */
@Command(
        name = "check",
        description =
                "Tells whether what an app uses could be stopped now, as if the app had been stopped. Changes nothing.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {
            "0:Everything it uses could be stopped.",
            Codes.FAILURE,
            Codes.USAGE,
            Codes.REFUSED,
            "6:Something it uses must not be stopped now.",
            Codes.UNREACHABLE
        })
final class GuardCheckCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "APP", description = "Its name.")
    private String app = "";

    @Option(names = "--explain", description = "With what was seen of every app, and why that decides.")
    private boolean explain;

    @Mixin
    private GuardTarget target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        Json answer;
        try (GuardAnswers guards = target.open()) {
            answer = guards.stop(app, true);
        }
        new GuardText(output).print(answer, explain, GuardCheckCommand::isStoppable);
        return answer.at("decisions").items().stream().allMatch(GuardCheckCommand::isStoppable)
                ? ExitCodes.OK
                : ExitCodes.CHECK_SAID_NO;
    }

    private static boolean isStoppable(Json decision) {
        return decision.at("decision").plain().equals("stopped");
    }
}
