package dev.holdfast.cli.backup;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.LastingStore;
import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "backup",
        header = "Write everything a store keeps into one file.",
        description = {
            "Locks, their last tokens and history, the tokens that tables check (holdfast_fence), and all documents:"
                    + " state of stacks with every version, what the guard knows, stored tokens. The store may be in"
                    + " use; nothing has to stop.",
            "",
            "Each lock is whole, as it was at some moment while the file was written; all documents are from one"
                    + " moment. The file is read back and compared with its checksum before it gets its name. Only its"
                    + " owner can read it (0600), since it contains lease ids and the contents of states. Encrypted"
                    + " contents stay encrypted, and need their key again.",
            "",
            "Through a server it needs the role admin in all namespaces. To put it back: holdfast restore."
        },
        footer = {
            "holdfast backup holdfast-2026-11-17.backup",
            "holdfast backup --store postgresql://app@db/locks /backups/holdfast.backup"
        },
        exitCodeList = {
            "0:The file is there, and is whole.",
            "1:It was not written; the reason is on standard error.",
            "2:The command line or a setting is wrong, or the file is there already.",
            "4:The server or store does not allow it.",
            "69:The server or store cannot be reached."
        })
public final class BackupCommand extends PlainCommand {
    /** Until it begins: a server that is asked for two at a time lets one wait, or refuses it. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Mixin
    private Target target = new Target();

    @Mixin
    private BackupDocuments documents;

    @Option(names = "--force", description = "Replace the file if it is there already, once the new one is whole.")
    private boolean force;

    @Parameters(paramLabel = "FILE", description = "The file to write.")
    private Path path;

    @Override
    public Integer call() throws InterruptedException {
        if (target.isLiteral()) {
            throw mistake("A backup has all namespaces: leave out --namespace");
        }
        BackupFile file = new BackupFile(path);
        file.check(force);
        try {
            BackupSummary written = target.store().isPresent() ? ofStore(file, target.url()) : ofServer(file);
            out().println(BackupText.of(written));
            out().println("written to " + path + ", read back and compared: all there");
            return 0;
        } catch (IOException e) {
            throw new CommandException(
                    "The backup was not written, and there is no file '" + path + "': " + FileProblem.why(e));
        }
    }

    private BackupSummary ofStore(BackupFile file, String url) throws IOException, InterruptedException {
        refuse(LastingStore.passing(url));
        documents.named().map(LastingStore::problem).forEach(this::refuse);
        if (StoreFile.isMissing(url)) {
            throw mistake("There is no file '" + StoreFile.path(url) + "'. Look at --store");
        }
        refuse(documents.missing(url));
        try (RecordStore store = Stores.open(url, Target.PATIENCE);
                BackupDocuments.OpenDocuments open = documents.openExisting(url)) {
            BackupWalk walk = new BackupWalk(
                    store,
                    open.places().stream()
                            .map(BackupDocuments.OpenPlace::documents)
                            .toList(),
                    spec.root().version()[0]);
            return file.write(force, walk::writeTo);
        }
    }

    private BackupSummary ofServer(BackupFile file) throws IOException, InterruptedException {
        if (documents.isNamed()) {
            throw mistake("A server knows where its documents are: leave out --state-store and --guard-store");
        }
        ServerCalls server = new ServerCalls(target.servers(), PATIENCE);
        return file.write(force, out -> server.download("/admin/backup", out));
    }
}
