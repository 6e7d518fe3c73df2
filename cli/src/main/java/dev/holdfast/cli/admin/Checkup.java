package dev.holdfast.cli.admin;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.StoreException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/** What {@code doctor} finds: a line for each check as it is made, and the exit code of the worst. */
final class Checkup {
    /** A clock further off than this makes leases end visibly early or late for people who read the times. */
    private static final Duration CLOCK_OFF = Duration.ofSeconds(2);

    private final PrintWriter out;
    private boolean warned;
    private int failed = ExitCodes.OK;

    Checkup(PrintWriter out) {
        this.out = out;
    }

    void ok(String what) {
        line("ok", what);
    }

    void warn(String what) {
        warned = true;
        line("warn", what);
    }

    /** Well, or a reason to be warned. */
    void judge(boolean good, String what, String warning) {
        if (good) {
            ok(what);
        } else {
            warn(what + warning);
        }
    }

    void clock(Duration off, String what) {
        judge(
                off.compareTo(CLOCK_OFF) <= 0,
                what + off.toMillis() + " ms from this machine's wall clock",
                ": leases are right, but times that people compare are not");
    }

    /** @param code what this failure means to a script; the first one counts, later ones are often its consequences */
    void fail(String what, int code) {
        failed = failed == ExitCodes.OK ? code : failed;
        line("FAIL", FailureMessage.of(what));
    }

    /** Makes a check; what the store or server refuses during it is a failure of the check, not of the program. */
    void check(Check check) throws InterruptedException {
        try {
            check.run();
        } catch (AccessRefusedException e) {
            fail(String.valueOf(e.getMessage()), ExitCodes.REFUSED);
        } catch (StoreException e) {
            fail(String.valueOf(e.getMessage()), ExitCodes.CHECK_SAID_NO);
        }
    }

    boolean hasFailed() {
        return failed != ExitCodes.OK;
    }

    int finish() {
        if (!hasFailed()) {
            line(warned ? "warn" : "ok", warned ? "usable, with the warnings above" : "all well");
        }
        return failed;
    }

    private void line(String how, String what) {
        out.printf("%-4s  %s%n", how, what);
        out.flush();
    }

    static String spread(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "median %.2f ms, slowest %.2f ms",
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    interface Check {
        void run() throws InterruptedException;
    }
}
