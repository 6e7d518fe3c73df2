package dev.holdfast.cli;

import dev.holdfast.Stores;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast migrate}: the locks, history and tokens of one store, in another. */
@Command(
        name = "migrate",
        description = {
            "Copies all locks, their history and their tokens from one store to another, and compares every lock at the end.",
            "",
            "Stop the servers and programs that use either store first. Tokens go on growing in the new store, also those of"
                    + " locks that were forgotten: for this its clock must be past the last token of the old one, and it is"
                    + " refused otherwise. A lock that is in use or newer in the target is never overwritten.",
            "",
            "It can be interrupted and run again: what is there already is left as it is. Events keep their time and"
                    + " content; their numbers are new. The source is not changed."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All of it is there.",
            "1:It is not known whether the last write happened; run it again.",
            "2:The command line or a URL is wrong.",
            "4:A store does not allow it.",
            "6:It was refused, or something differs; each reason is on standard error.",
            "69:A store cannot be reached; run it again."
        },
        footerHeading = "%nExample:%n",
        footer = "holdfast migrate --from sqlite:holdfast-data/holdfast.db --to postgresql://app@db/locks --dry-run")
final class MigrateCommand implements Callable<Integer> {
    private static final long TELL_EVERY_NANOS = 2_000_000_000L;

    /** One of the two. */
    @ArgGroup(multiplicity = "1")
    private Source given = new Source();

    private static final class Source {
        @Option(names = "--from", paramLabel = "URL", description = "The store to copy; it is only read.")
        private Optional<String> store = Optional.empty();

        @Option(
                names = "--from-table",
                paramLabel = "URL[#TABLE]",
                description =
                        "Instead of a store: a table of locks that an application has made itself, with the columns lock_name,"
                                + " expires_at, and process_id or pod_id (default: database_lock, else distributed_locks). Every row that"
                                + " has not expired becomes a lock of that owner, until that time. The table is only read.")
        private Optional<String> table = Optional.empty();
    }

    private String source = "";

    @Option(names = "--to", required = true, paramLabel = "URL", description = "The store to copy into.")
    private String target = "";

    @Option(names = "--dry-run", description = "Only count and tell what stands against it; no lock is written.")
    private boolean dryRun;

    @Option(
            names = "--allow-held",
            description = "Also copy locks that are held. They keep their lease ids and expiry times: a holder that"
                    + " now connects to the new store can renew and release; one that stays on the old store is not"
                    + " seen in the new one, where its lock ends at that time. Only its token protects from it then.")
    private boolean allowHeld;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (given.table.isPresent()) {
            return new TableAdoption(given.table.get(), target, dryRun, this::say, this::talk).run();
        }
        source = given.store.orElse("");
        for (String url : List.of(source, target)) {
            refuseUnfit(url);
        }
        if (identity(source).equals(identity(target))) {
            throw usage("--from and --to name the same store, '" + Stores.masked(source) + "'");
        }
        try (RecordStore from = Stores.open(source, Target.PATIENCE);
                RecordStore to = openTarget()) {
            return run(new Migration(from, to, identity(source)), from, to);
        }
    }

    private void refuseUnfit(String url) {
        if (url.startsWith("http:") || url.startsWith("https:")) {
            throw usage(
                    "'" + url + "' is a server. Stop it and name its store, such as sqlite:holdfast-data/holdfast.db");
        }
        if (url.equals("memory:")) {
            throw usage(
                    "memory: is empty and ends with this command. Name a store that stays, such as sqlite:locks.db");
        }
        if (url.equals(source) && StoreFile.isMissing(url)) {
            throw usage("There is no file '" + StoreFile.path(url) + "' to copy from. Look at --from");
        }
    }

    /** A dry run leaves nothing behind, not even an empty file. */
    private RecordStore openTarget() {
        if (dryRun && StoreFile.isMissing(target)) {
            talk("The target does not exist yet and would be made");
            return Stores.open("memory:");
        }
        return Stores.open(target, Target.PATIENCE);
    }

    private int run(Migration migration, RecordStore from, RecordStore to) {
        MigrationSurvey.Findings found = migration.survey(allowHeld);
        say(count(found.records(), "lock") + " in " + Stores.masked(source) + ", "
                + count(found.held(), "of them held or waited for") + ", " + count(found.already(), "already copied"));
        say(
                from instanceof EventLog
                        ? count(found.events(), "event") + " in its history, " + count(found.unread(), "not copied yet")
                        : "no history: that store keeps none");
        say("newest token " + found.newest());
        if (from instanceof EventLog && !(to instanceof EventLog)) {
            talk("The target keeps no history; it stays behind in the source");
        }
        if (!found.problems().isEmpty()) {
            found.problems().forEach(this::talk);
            talk(dryRun ? "It would be refused" : "Refused; nothing was written");
            return ExitCodes.CHECK_SAID_NO;
        }
        if (dryRun) {
            say("dry run: nothing stands against it, nothing was written");
            return ExitCodes.OK;
        }
        migration.copyHistory(progress("events", found.unread()));
        List<String> refused = migration.copyRecords(progress("locks", found.records()));
        refused.forEach(this::talk);
        List<String> different = migration.differences(progress("locks compared", found.records()));
        different.forEach(this::talk);
        if (!refused.isEmpty() || !different.isEmpty()) {
            talk("Not all of it is there as it is here. Stop what uses the stores and run this again");
            return ExitCodes.CHECK_SAID_NO;
        }
        say("copied to " + Stores.masked(target) + " and compared: all there");
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
        boolean plural = number != 1 && (what.equals("lock") || what.equals("event"));
        return String.format(Locale.ROOT, "%,d %s%s", number, what, plural ? "s" : "");
    }

    /** The same for the same store from wherever it is called. */
    private static String identity(String url) {
        return StoreFile.is(url)
                ? "sqlite:" + StoreFile.path(url).toAbsolutePath().normalize()
                : Stores.masked(url);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void say(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }

    private void talk(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(text);
        err.flush();
    }
}
