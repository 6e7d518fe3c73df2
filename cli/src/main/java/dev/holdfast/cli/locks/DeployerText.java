package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.state.versions.Stack;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** The blocks that {@code deployer} prints, as its documents show them. Times are of the time zone of the reader. */
final class DeployerText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private DeployerText() {}

    static void status(PrintWriter out, Stack lock, LockView view) {
        out.println("Lock Status:");
        out.println("  Stack: " + lock.name());
        out.println("  Environment: " + lock.environment());
        out.println("  Locked: " + (view.isFree() ? "No" : "Yes"));
        for (Holder holder : view.holders()) {
            String path = LockLines.paths(holder.paths());
            if (!path.isEmpty()) {
                out.println((path.indexOf('/') < 0 ? "  Service: " : "  Component: ") + Screen.clean(path));
            }
            out.println("  Locked by: " + Screen.clean(holder.owner()));
            out.println("  Locked at: " + time(holder.grantedAt()) + ago(holder.grantedAt(), view.at()));
            out.println("  Last heartbeat: " + time(holder.renewedAt()) + ago(holder.renewedAt(), view.at()));
            out.println("  Status: " + state(holder, view.at()));
        }
        if (!view.waiters().isEmpty()) {
            out.println("  Waiting: " + view.waiters().size());
        }
        out.flush();
    }

    static void warning(PrintWriter err, Holder holder, Instant now) {
        err.println("⚠ Warning: This will forcefully release the lock.");
        err.println("  Current holder: " + Screen.clean(holder.owner()));
        err.println("  Locked since: " + time(holder.grantedAt()));
        if (!holder.stale()) {
            err.println("  The holder may be working: last heartbeat"
                    + ago(holder.renewedAt(), now).replaceAll("[()]", ""));
        }
        err.println();
    }

    private static String state(Holder holder, Instant now) {
        return holder.stale()
                ? "⚠ STALE (no heartbeat for >" + Ages.roughly(Duration.between(holder.renewedAt(), now)) + ")"
                : "✓ Active";
    }

    private static String time(Instant time) {
        return TIME.format(time.atZone(ZoneId.systemDefault()));
    }

    private static String ago(Instant time, Instant now) {
        return " (" + Ages.inWords(Duration.between(time, now)) + " ago)";
    }
}
