package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import picocli.CommandLine;

/**
 * One run of {@code migrate}: looks at everything, refuses or copies, compares everything. The history goes first, the locks last: a
 * lock that is there has its history and its documents.
 */
record MigrationRun(CommandLine command, String source, MigrationOptions options) {
    private static final long TELL_EVERY_NANOS = 2_000_000_000L;

    int run(RecordStore from, RecordStore to) {
        Optional<HistoryMigration> history =
                !options.withoutHistory && from instanceof EventLog here && to instanceof EventLog there
                        ? Optional.of(new HistoryMigration(here, there))
                        : Optional.empty();
        if (options.documents.isLeftBehind()) {
            talk("Documents are left behind: --documents-from none");
            return run(from, to, history, Optional.empty(), Token.NONE);
        }
        try (DocumentStore documents = options.documents.openSource(source)) {
            if (options.documents.isSamePlace(source, options.target)) {
                say("documents stay in " + Stores.masked(options.documents.from(source)));
                return run(from, to, history, Optional.empty(), DocumentMigration.newest(documents));
            }
            if (DocumentPages.isEmpty(documents)) {
                say("no documents in " + Stores.masked(options.documents.from(source)));
                return run(from, to, history, Optional.empty(), Token.NONE);
            }
            try (DocumentStore target = options.documents.openTarget(options.target, options.dryRun)) {
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
                historyFound.map(HistoryMigration.Standing::newest).orElseGet(() -> HistoryMigration.newest(from)));
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
            problems.forEach(this::talk);
            talk(options.dryRun ? "It would be refused" : "Refused; nothing was written");
            return ExitCodes.CHECK_SAID_NO;
        }
        if (options.dryRun) {
            say("dry run: nothing is in the way; nothing was written");
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
        say(count(locks.records(), "lock") + " in " + Stores.masked(source) + ", "
                + count(locks.held(), "of them held or waited for") + ", " + count(locks.already(), "already copied"));
        historyFound.ifPresent(
                it -> say(count(it.events(), "event") + " in its history, " + count(it.missing(), "not copied yet")));
        documentsFound.ifPresent(it -> {
            say(count(it.documents(), "document") + " of " + count(it.bytes(), "bytes") + " in "
                    + Stores.masked(options.documents.from(source)) + ", "
                    + count(it.already(), "already copied"));
            it.own().forEach(name -> talk("Document '" + name + "' is only in the target, and is left as it is"));
        });
        say("newest token " + locks.newest());
        if (!(from instanceof EventLog)) {
            say("no history: the source keeps none");
        } else if (options.withoutHistory) {
            talk("The history is left behind: --without-history");
        }
    }

    private int end(List<String> wrong, boolean history, boolean documents) {
        if (!wrong.isEmpty()) {
            wrong.forEach(this::talk);
            talk("Not everything arrived as it is here. Stop whatever uses the stores, and run this again");
            return ExitCodes.CHECK_SAID_NO;
        }
        String moved = "locks" + (history ? ", history" : "") + (documents ? ", documents" : "");
        say("copied to " + Stores.masked(options.target) + " and compared (" + moved + "): all there");
        if (options.documents.isUsual()) {
            say("not looked at: documents elsewhere. Where a server has state.store or guard.store, run this again with"
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
                talk(String.format(Locale.ROOT, "%,d of %,d %s", state[0], all, what));
            }
        };
    }

    private static String count(long number, String what) {
        boolean plural = number != 1 && List.of("lock", "event", "document").contains(what);
        return String.format(Locale.ROOT, "%,d %s%s", number, what, plural ? "s" : "");
    }

    private void say(String text) {
        command.getOut().println(text);
    }

    private void talk(String text) {
        command.getErr().println(text);
    }
}
