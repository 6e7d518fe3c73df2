package dev.holdfast.cli.locks;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.engine.LockEngine.SweepReport;
import dev.holdfast.model.RecordKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast cleanup}: clears away what has ended. */
@Command(
        name = "cleanup",
        description = {
            "Clears expired holds and dead waiters, and removes locks nobody has used for longer than the retention.",
            "No live hold is touched. Servers do this by themselves from time to time."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
public final class CleanupCommand implements Callable<Integer> {
    @Option(names = "--dry-run", description = "Only say what would be cleared.")
    private boolean dryRun;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        SweepReport swept;
        try (LockClient locks = target.openExisting()) {
            swept = locks.inspect().cleanup(dryRun);
        }
        int removed = swept.judged() + swept.removed();
        switch (output.format()) {
            case json, yaml ->
                output.print(json -> {
                    json.writeStartObject();
                    json.writeNumberField("removed", removed);
                    json.writeArrayFieldStart("locks");
                    for (RecordKey key : swept.locks()) {
                        json.writeString(key.toString());
                    }
                    json.writeEndArray();
                    json.writeBooleanField("dry_run", dryRun);
                    json.writeEndObject();
                });
            case name -> swept.locks().forEach(output.out()::println);
            case table -> show(swept, removed);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(SweepReport swept, int removed) {
        if (removed == 0) {
            output.out().println(dryRun ? "Nothing would be cleared" : "Nothing to clear");
            return;
        }
        output.out().println((dryRun ? "Would clear " : "Cleared ") + removed + (removed == 1 ? " lock:" : " locks:"));
        swept.locks().forEach(key -> output.out().println("  " + Screen.clean(key.toString())));
        if (swept.locks().size() < removed) {
            output.out().println("  and " + (removed - swept.locks().size()) + " more");
        }
    }
}
