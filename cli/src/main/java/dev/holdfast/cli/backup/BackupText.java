package dev.holdfast.cli.backup;

import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupTotals;
import java.util.Locale;

final class BackupText {
    private BackupText() {}

    static String of(BackupSummary backup) {
        return "backup of " + Rfc3339.text(backup.header().createdAt()) + " ("
                + backup.header().store() + "): " + of(backup.totals());
    }

    static String of(BackupTotals totals) {
        return count(totals.locks(), "lock") + " (" + totals.held() + " held), " + count(totals.events(), "event")
                + ", "
                + count(totals.documents(), "document") + " of " + count(totals.bytes(), "byte")
                + (totals.fences() == 0 ? "" : ", " + count(totals.fences(), "checked token")) + "; newest token "
                + totals.newest();
    }

    static String count(long number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }
}
