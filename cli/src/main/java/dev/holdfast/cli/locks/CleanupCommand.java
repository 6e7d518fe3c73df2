package dev.holdfast.cli.locks;

import dev.holdfast.Inspector.CleanupReport;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.CleanupJson;
import dev.holdfast.wire.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        header = "Clear what has expired, and forget unused locks.",
        description = {
            "Clears expired holds and dead waiters, and removes locks that nobody has used for longer than the"
                    + " retention. No live hold is touched.",
            "Servers do this by themselves from time to time."
        },
        footer = {"holdfast cleanup --dry-run", "holdfast cleanup"})
public final class CleanupCommand extends TargetCommand {
    @Option(names = "--dry-run", description = "Only say what would be cleared.")
    private boolean dryRun;

    @Override
    protected int run() {
        CleanupReport swept;
        try (LockClient locks = target.openExisting()) {
            swept = locks.inspect().cleanup(dryRun);
        }
        int removed = swept.judged() + swept.removed();
        Json answer = CleanupJson.write(swept, dryRun).without("deleted");
        output.show(answer::writeTo, swept.locks().stream().map(RecordKey::toString), () -> show(swept, removed));
        return ExitCodes.OK;
    }

    private void show(CleanupReport swept, int removed) {
        if (removed == 0) {
            output.println(dryRun ? "Nothing would be cleared" : "Nothing to clear");
            return;
        }
        output.println((dryRun ? "Would clear " : "Cleared ") + removed + (removed == 1 ? " lock:" : " locks:"));
        swept.locks().forEach(key -> output.println("  " + Screen.clean(key.toString())));
        if (swept.locks().size() < removed) {
            output.println("  and " + (removed - swept.locks().size()) + " more");
        }
    }
}
