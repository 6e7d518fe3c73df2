package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * One run of {@code migrate}: looks at everything, refuses or copies, compares everything. The history goes first, the locks last: a
 * lock that is there has its history and its documents.
 */
record MigrationRun(
        PrintWriter out, PrintWriter err, String source, MigrationOptions options, Stage stage, StandIns standIns) {
    /** How far it goes. */
    enum Stage {
        /** Says what stands against it. */
        LOOK("Refused; nothing was written"),
        /** The same for somebody who asked for no more. */
        DRY_RUN("It would be refused"),
        COPY("Refused; nothing was written");

        private final String refusal;

        Stage(String refusal) {
            this.refusal = refusal;
        }
    }

    private static final long TELL_EVERY_NANOS = 2_000_000_000L;

    int run(RecordStore from, RecordStore to) {
        Optional<HistoryMigration> history =
                !options.withoutHistory && from instanceof EventLog here && to instanceof EventLog there
                        ? Optional.of(new HistoryMigration(here, there))
                        : Optional.empty();
        if (options.documents.isLeftBehind()) {
            err.println("Documents are left behind: --documents-from none");
            return run(from, to, history, Optional.empty(), Token.NONE);
        }
        try (DocumentStore documents = options.documents.openSource(source)) {
            if (options.documents.isSamePlace(source, options.target)) {
                out.println("documents stay in " + Stores.masked(options.documents.from(source)));
                return run(from, to, history, Optional.empty(), DocumentMigration.newest(documents));
            }
            if (DocumentPages.isEmpty(documents)) {
                out.println("no documents in " + Stores.masked(options.documents.from(source)));
                return run(from, to, history, Optional.empty(), Token.NONE);
            }
            try (DocumentStore target = stage == Stage.COPY
                    ? options.documents.openTarget(options.target)
                    : options.documents.lookAtTarget(options.target, standIns)) {
                return run(from, to, history, Optional.of(new DocumentMigration(documents, target)), Token.NONE);
            }
        }
    }

    private int run(
            RecordStore from,
            RecordStore to,
            Optional<HistoryMigration> history,
            Optional<DocumentMigration> documents,
            Token stays) {
        Optional<HistoryMigration.Standing> historyFound = history.map(HistoryMigration::compare);
        DocumentMigration.Standing documentsFound =
                documents.map(it -> it.survey(options.replaceDocuments)).orElse(DocumentMigration.Standing.NONE);
        Token newest = DocumentPages.later(
                DocumentPages.later(stays, documentsFound.newest()),
                historyFound.map(HistoryMigration.Standing::newest).orElseGet(() -> EventPages.newest(from)));
        MigrationSurvey.Findings locks = MigrationSurvey.of(from, to, newest, options.allowHeld);
        tell(from, locks, historyFound, documents.map(it -> documentsFound));
        List<String> problems = new ArrayList<>(locks.problems());
        problems.addAll(documentsFound.problems());
        historyFound.flatMap(HistoryMigration.Standing::obstacle).ifPresent(problems::add);
        if (losesHistory(from, to)) {
            problems.add(
                    "The target keeps no history, and the source has one. Say --without-history to leave it behind");
        }
        if (!problems.isEmpty()) {
            problems.forEach(err::println);
            err.println(stage.refusal);
            return ExitCodes.CHECK_SAID_NO;
        }
        if (stage == Stage.DRY_RUN) {
            out.println("dry run: nothing is in the way; nothing was written");
        }
        if (stage != Stage.COPY) {
            return ExitCodes.OK;
        }
        historyFound.ifPresent(it -> history.orElseThrow().copy(it.through(), progress("events", it.missing())));
        List<String> wrong = new ArrayList<>();
        documents.ifPresent(it ->
                wrong.addAll(it.copy(options.replaceDocuments, progress("documents", documentsFound.documents()))));
        Migration migration = new Migration(from, to);
        wrong.addAll(migration.copyRecords(progress("locks", locks.records())));
        history.ifPresent(it -> wrong.addAll(it.differences()));
        documents.ifPresent(
                it -> wrong.addAll(it.differences(progress("documents compared", documentsFound.documents()))));
        wrong.addAll(migration.differences(progress("locks compared", locks.records())));
        return end(wrong, history.isPresent(), documents.isPresent());
    }

    private boolean losesHistory(RecordStore from, RecordStore to) {
        return !options.withoutHistory
                && !(to instanceof EventLog)
                && from instanceof EventLog log
                && new EventPages(log).hasNext();
    }

    private void tell(
            RecordStore from,
            MigrationSurvey.Findings locks,
            Optional<HistoryMigration.Standing> historyFound,
            Optional<DocumentMigration.Standing> documentsFound) {
        out.println(count(locks.records(), "lock") + " in " + Stores.masked(source) + ", "
                + count(locks.held(), "of them held or waited for") + ", " + count(locks.already(), "already copied"));
        historyFound.ifPresent(it ->
                out.println(count(it.events(), "event") + " in its history, " + count(it.missing(), "not copied yet")));
        documentsFound.ifPresent(it -> {
            out.println(count(it.documents(), "document") + " of " + count(it.bytes(), "bytes") + " in "
                    + Stores.masked(options.documents.from(source)) + ", "
                    + count(it.already(), "already copied"));
            for (String name : it.own()) {
                err.println("Document '" + name + "' is only in the target, and is left as it is");
            }
        });
        out.println("newest token " + locks.newest());
        if (!(from instanceof EventLog)) {
            out.println("no history: the source keeps none");
        } else if (options.withoutHistory) {
            err.println("The history is left behind: --without-history");
        }
    }

    private int end(List<String> wrong, boolean history, boolean documents) {
        if (!wrong.isEmpty()) {
            wrong.forEach(err::println);
            err.println("Not everything arrived as it is here. Stop whatever uses the stores, and run this again");
            return ExitCodes.CHECK_SAID_NO;
        }
        String moved = "locks" + (history ? ", history" : "") + (documents ? ", documents" : "");
        out.println("copied to " + Stores.masked(options.target) + " and compared (" + moved + "): all there");
        if (options.documents.isUsual()) {
            out.println(
                    "not looked at: documents elsewhere. Where a server has state.store or guard.store, run this again with"
                            + " --documents-from and --documents-to");
        }
        return ExitCodes.OK;
    }

    private LongConsumer progress(String what, long all) {
        long[] state = {0, System.nanoTime()};
        return more -> {
            state[0] += more;
            if (System.nanoTime() - state[1] > TELL_EVERY_NANOS) {
                state[1] = System.nanoTime();
                err.println(String.format(Locale.ROOT, "%,d of %,d %s", state[0], all, what));
            }
        };
    }

    private static String count(long number, String what) {
        boolean plural = number != 1 && List.of("lock", "event", "document").contains(what);
        return String.format(Locale.ROOT, "%,d %s%s", number, what, plural ? "s" : "");
    }
}
