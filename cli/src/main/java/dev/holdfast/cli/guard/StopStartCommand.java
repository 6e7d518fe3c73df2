package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says that an app stops or starts, and prints what was decided about each database it uses. */
abstract class StopStartCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "APP", description = "Its name.")
    private String app = "";

    @Option(names = "--dry-run", description = "Only tell what would be decided.")
    private boolean dryRun;

    @Option(names = "--explain", description = "With what was seen of every app, and why that decides.")
    private boolean explain;

    @Mixin
    private GuardTarget target;

    @Mixin
    private Output output;

    abstract Json ask(GuardAnswers guards, String app, boolean dryRun) throws InterruptedException;

    /** Whether these decisions are what was asked for. */
    abstract boolean isDone(List<Json> decisions);

    @Override
    public final Integer call() throws InterruptedException {
        Json answer;
        try (GuardAnswers guards = target.open()) {
            answer = ask(guards, app, dryRun);
        }
        new GuardText(output).print(answer, explain, decision -> true);
        return isDone(answer.at("decisions").items()) ? ExitCodes.OK : ExitCodes.CHECK_SAID_NO;
    }
}
