package dev.holdfast.cli.admin;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "diagnose",
        header = "Write what a server knows about itself into one file.",
        description = {
            "Health of each part, versions, settings, metrics, threads, the last 1 000 log lines, facts about the store,"
                    + " slow operations and the most used locks. Secrets in settings and log lines are masked; names"
                    + " of locks, callers and hosts are not. Only you can read the file.",
            "",
            "Needs the role admin in all namespaces. What cannot be collected is left out, and manifest.txt says why."
        },
        footer = {
            "holdfast diagnose",
            "holdfast diagnose --server https://locks-2.example.com ticket-4711.zip",
        },
        exitCodeList = {
            Codes.USUAL,
            "0:Everything is in the file.",
            "1:The file is written, but something is missing in it; or it could not be written."
        })
public final class DiagnoseCommand extends PlainCommand {
    /** Longer than a scrape or a dump takes; a server that is in trouble may be slow. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    @Mixin
    private Target target = new Target();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A new file, a zip (default: holdfast-diagnose-TIME.zip, in this directory).")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (target.store().isPresent()) {
            throw new IllegalArgumentException(
                    "diagnose looks into a server, not into a store. Name a server with --server; a store is checked by"
                            + " 'holdfast doctor'");
        }
        ServerConfig servers = target.servers();
        URI server = servers.servers().get(0);
        Instant now = Instant.now();
        DiagnoseBundle bundle = DiagnoseBundle.of(new ServerCalls(servers, PATIENCE), server, now);
        refuseWithoutAnything(bundle, server);
        Path to = file.orElseGet(() -> Path.of("holdfast-diagnose-" + TIME.format(now) + ".zip"));
        try {
            bundle.write(to);
        } catch (FileAlreadyExistsException e) {
            throw new IllegalArgumentException("There is a file '" + to + "' already. Name another", e);
        } catch (IOException e) {
            err().println("holdfast: '" + to + "' cannot be written: " + FileProblem.why(e));
            return ExitCodes.FAILURE;
        }
        return report(bundle, to);
    }

    /** A file with nothing in it helps nobody. */
    private static void refuseWithoutAnything(DiagnoseBundle bundle, URI server) {
        if (bundle.isUntrusted()) {
            throw new StoreUnusableException(FailureMessage.untrusted(server.toString()), null);
        }
        if (bundle.isUnreachable()) {
            throw new StoreUnavailableException(
                    "No Holdfast server answers at " + server + " ("
                            + bundle.missing().get(0).why() + "). Is it running? Name another with --server",
                    null);
        }
        if (bundle.isRefused()) {
            throw new AccessRefusedException(
                    bundle.missing().get(0).why() + " (" + server
                            + "). diagnose needs the role admin in all namespaces",
                    null);
        }
    }

    private int report(DiagnoseBundle bundle, Path to) {
        List<DiagnoseBundle.Missing> missing = bundle.missing();
        out().println("Wrote " + to + ": " + bundle.size() + " parts. Look through it before you give it away: it names"
                + " locks, callers and hosts");
        missing.forEach(part -> err().println("holdfast: " + part.name() + " is missing: " + part.why()));
        return missing.isEmpty() ? ExitCodes.OK : ExitCodes.FAILURE;
    }

    static String why(IOException failure) {
        return failure instanceof HttpTimeoutException
                ? "no answer within " + PATIENCE.toSeconds() + " s"
                : ServerCalls.why(failure);
    }
}
