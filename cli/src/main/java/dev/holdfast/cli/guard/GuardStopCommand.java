package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.cli.text.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class GuardStopCommand implements Callable<Integer> {
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

    @Override
    public Integer call() throws InterruptedException {
        JsonTree answer;
        try (Guards guards = target.open()) {
            answer = guards.stop(app, dryRun);
        }
        GuardText text = new GuardText(output);
        switch (output.format()) {
            case json, yaml -> output.print(answer::write);
            case name ->
                answer.get("decisions")
                        .list()
                        .forEach(decision -> output.out().println(GuardText.clean(decision.get("db_identifier"))));
            case table -> {
                if (explain) {
                    text.explained(answer.get("decisions").list());
                } else {
                    text.decisions(answer);
                }
            }
        }
        output.out().flush();
        return ExitCodes.OK;
    }
}
