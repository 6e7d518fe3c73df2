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
final class GuardStartCommand implements Callable<Integer> {
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
            answer = guards.start(app, dryRun);
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
        return answer.get("decisions").list().stream()
                        .allMatch(decision -> decision.get("decision").text().equals("started"))
                ? ExitCodes.OK
                : ExitCodes.CHECK_SAID_NO;
    }
}
