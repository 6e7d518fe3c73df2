package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.admin.MigrationRun.Stage;
import dev.holdfast.cli.connect.LastingStore;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.jdbc.LockTable;
import dev.holdfast.spi.RecordStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        header = "Copy everything from one store to another, and compare.",
        description = {
            "Copies all locks, their tokens and history, and the documents of state and guard from one store to another, and"
                    + " compares all of it at the end.",
            "",
            "Stop the servers and programs that use either store first. Tokens keep growing in the new store, even for"
                    + " locks that were forgotten; if its clock is not past the last token of the old store, the copy"
                    + " is refused. A lock that is in use or newer in the target is never overwritten, nor is a"
                    + " document that carries a later token. Events keep their numbers.",
            "",
            "It can be interrupted and run again: what is there already is left as it is. The source is not changed.",
            "",
            "Documents are looked for beside the locks. Where a server has state.store or guard.store, name that place."
        },
        customSynopsis = "holdfast migrate [OPTIONS] (--from URL | --from-table URL[#TABLE]) --to URL",
        footer = {
            "holdfast migrate --dry-run --from sqlite:locks.db --to postgresql://db/locks",
            "holdfast migrate --from sqlite:locks.db --to postgresql://db/locks"
        },
        exitCodeList = {
            "0:All of it is there.",
            "1:It is not known whether the last write happened; run it again.",
            "2:The command line or a URL is wrong.",
            "4:A store does not allow it.",
            "6:It was refused, or something differs; each reason is on standard error.",
            "69:A store cannot be reached; run it again."
        })
public final class MigrateCommand extends PlainCommand {
    @ArgGroup(multiplicity = "1")
    private Source given = new Source();

    private static final class Source {
        @Option(names = "--from", paramLabel = "URL", description = "The store to copy; it is only read.")
        private Optional<String> store = Optional.empty();

        @Option(
                names = "--from-table",
                paramLabel = "URL[#TABLE]",
                description =
                        "Instead of a store: a table of locks that an application made itself, with the columns lock_name,"
                                + " expires_at, and process_id or pod_id (default: database_lock, else distributed_locks). Every row that"
                                + " has not expired becomes a lock of that owner, until that time. The table is only read.")
        private Optional<String> table = Optional.empty();
    }

    @Mixin
    private MigrationOptions options;

    @Override
    public Integer call() {
        refuse(LastingStore.problem(options.target));
        try (StandIns standIns = new StandIns()) {
            return given.table.isPresent()
                    ? new TableAdoption(LockTable.at(given.table.get()), options, out(), err())
                            .run(() -> openTarget(standIns))
                    : copy(given.store.orElse(""), standIns);
        }
    }

    private int copy(String source, StandIns standIns) {
        refuse(LastingStore.problem(source));
        options.documents.named().map(LastingStore::problem).forEach(this::refuse);
        if (StoreFile.isMissing(source)) {
            throw mistake("There is no file '" + StoreFile.path(source) + "' to copy from. Look at --from");
        }
        if (DocumentPlaces.identity(source).equals(DocumentPlaces.identity(options.target))) {
            throw mistake("--from and --to name the same store, '" + Stores.masked(source) + "'");
        }
        refuse(options.documents
                .missingSource()
                .map(url ->
                        "There are no documents in '" + Stores.masked(url) + "' to copy. Look at --documents-from"));
        try (RecordStore from = Stores.open(source, Target.PATIENCE)) {
            if (options.dryRun) {
                return run(from, source, Stage.DRY_RUN, standIns, out(), err());
            }
            int refused = isToBeMade() ? look(from, source, standIns) : ExitCodes.OK;
            return refused == ExitCodes.OK ? run(from, source, Stage.COPY, standIns, out(), err()) : refused;
        }
    }

    private boolean isToBeMade() {
        return StoreFile.isMissing(options.target) || DocumentPlaces.isMissing(options.documents.to(options.target));
    }

    /** Before a file is made for it: a run that is refused leaves none. What stands against it is printed, else nothing. */
    private int look(RecordStore from, String source, StandIns standIns) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = run(from, source, Stage.LOOK, standIns, new PrintWriter(out, true), new PrintWriter(err, true));
        if (code != ExitCodes.OK) {
            out().print(out);
            out().flush();
            err().print(err);
            err().flush();
        }
        return code;
    }

    private int run(RecordStore from, String source, Stage stage, StandIns standIns, PrintWriter out, PrintWriter err) {
        try (RecordStore to = stage == Stage.LOOK ? standIns.locks(options.target) : openTarget(standIns)) {
            return new MigrationRun(out, err, source, options, stage, standIns).run(from, to);
        }
    }

    /** A dry run leaves nothing behind, not even an empty file. */
    private RecordStore openTarget(StandIns standIns) {
        if (!options.dryRun) {
            return Stores.open(options.target, Target.PATIENCE);
        }
        if (StoreFile.isMissing(options.target)) {
            err().println("The target does not exist yet and would be made");
        }
        return standIns.locks(options.target);
    }
}
