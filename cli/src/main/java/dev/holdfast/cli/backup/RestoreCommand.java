package dev.holdfast.cli.backup;

import dev.holdfast.Stores;
import dev.holdfast.cli.admin.StandIns;
import dev.holdfast.cli.connect.LastingStore;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupVisitor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "restore",
        header = "Restore a backup into a store.",
        description = {
            "Stop every server and program that uses the store first. The file is read whole and compared with its checksum"
                    + " before anything is touched; at the end all of it is read back from the store and compared. It goes into a"
                    + " store, not through a server: nobody may lock while it is written. The kind of store need not be the"
                    + " one it came from.",
            "",
            "Whoever held a lock when the backup was made holds it again, until that lease ends, and is marked as"
                    + " restored (explain, history). Queues are not restored. All new tokens are greater than any"
                    + " before, including those granted after the backup; if the clock of the store is not past them,"
                    + " the restore is refused. Events keep their numbers, and new ones are greater than any before.",
            "",
            "A store that has locks, history or documents is refused without --replace. If it is interrupted, run it again with"
                    + " --replace."
        },
        customSynopsis = "holdfast restore [OPTIONS] FILE --store URL",
        footer = {
            "holdfast restore holdfast.backup --dry-run",
            "holdfast restore holdfast.backup --store sqlite:holdfast-data/holdfast.db --replace"
        },
        exitCodeList = {
            "0:All of it is there.",
            "1:The file is not a whole backup, or it is not known whether the last write happened.",
            "2:The command line or a URL is wrong.",
            "4:The store does not allow it.",
            "6:It was refused, or something differs; each reason is on standard error.",
            "69:The store cannot be reached."
        })
public final class RestoreCommand extends PlainCommand {
    @Parameters(paramLabel = "FILE", description = "The file that 'holdfast backup' wrote.")
    private Path path;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "The store to write into. Must be named here: a destination should not come from the environment.")
    private Optional<String> store = Optional.empty();

    @Option(
            names = "--replace",
            description = "Remove everything Holdfast keeps in that store first, and the documents in the other places"
                    + " that are named.")
    private boolean replace;

    @Option(
            names = "--dry-run",
            description = "Only read the file and, if a store is named, say what is in the way; nothing is written.")
    private boolean dryRun;

    @Mixin
    private BackupDocuments documents;

    @Override
    public Integer call() {
        refuse(FileProblem.of(path));
        Stream.concat(store.stream(), documents.named())
                .map(LastingStore::problem)
                .forEach(this::refuse);
        if (store.isEmpty() && !dryRun) {
            throw mistake("Name the store with --store URL, or only read the file with --dry-run");
        }
        try {
            BackupFile file = new BackupFile(path);
            BackupSummary backup = file.read(new BackupVisitor() {});
            out().println(BackupText.of(backup));
            if (store.isEmpty()) {
                out().println("dry run: the file is whole; nothing was written");
                return ExitCodes.OK;
            }
            return into(store.get(), file, backup);
        } catch (IOException e) {
            throw new CommandException("The backup '" + path + "' cannot be read: " + FileProblem.why(e));
        }
    }

    private int into(String url, BackupFile file, BackupSummary backup) throws IOException {
        try (StandIns standIns = new StandIns();
                RecordStore opened = standIns.locks(url);
                BackupDocuments.OpenDocuments places = documents.look(url, standIns)) {
            RestoreRun look = run(url, file, backup, opened, places);
            if (dryRun || !standIns.areUsed()) {
                return look.run(replace, dryRun);
            }
            if (look.isRefused(replace)) {
                return ExitCodes.CHECK_SAID_NO;
            }
        }
        // Nothing is in the way: only now the files that are missing are made.
        try (RecordStore opened = Stores.open(url, Target.PATIENCE);
                BackupDocuments.OpenDocuments places = documents.open(url)) {
            return run(url, file, backup, opened, places).run(replace, false);
        }
    }

    private RestoreRun run(
            String url,
            BackupFile file,
            BackupSummary backup,
            RecordStore opened,
            BackupDocuments.OpenDocuments places) {
        return new RestoreRun(spec.commandLine(), file, backup, new RestoreTarget(url, opened, places));
    }
}
