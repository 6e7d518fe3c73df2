package dev.holdfast.cli;

import dev.holdfast.cli.admin.TemporaryFiles;
import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.serve.CommandLog;
import dev.holdfast.cli.serve.RehearsalServer;
import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code holdfast rehearse}: runs the usual commands and a server once, quietly, on a store of its own. While it does, the
 * launcher writes down which classes they load, and archives those; so what is slow to start belongs in here.
 */
@Command(name = "rehearse", description = "Runs the usual commands once, for the archive of classes.", hidden = true)
final class RehearseCommand implements Callable<Integer> {
    private static final String LEASE = "rehearsal-0001";

    @Option(names = "--keep-native", description = "Where SQLite's driver unpacks its library; keeps it there.")
    private Optional<Path> nativeFiles = Optional.empty();

    @Override
    public Integer call() throws IOException {
        Path directory = Files.createTempDirectory("holdfast-rehearsal");
        try {
            everyHelp();
            contexts(directory);
            on("--store", "sqlite:" + directory.resolve("locks.db"));
            server(directory);
            run("doctor", "--store", "postgresql://127.0.0.1:1/none"); // nobody is there, but the driver is loaded
            CommandLog.rehearse();
            if (nativeFiles.isPresent()) {
                keepLibrary(nativeFiles.get());
            }
        } finally {
            TemporaryFiles.delete(directory);
        }
        return ExitCodes.OK;
    }

    private static void everyHelp() {
        run("--help");
        run("--version");
        run("version");
        Main.commandLine().getSubcommands().keySet().forEach(name -> run(name, "--help"));
    }

    /** Those of whoever runs this are not looked at. */
    private static void contexts(Path directory) {
        Path file = directory.resolve("config.yaml");
        Context context = Context.of("a").with(Map.of("server", "http://127.0.0.1:1"));
        new Contexts(file, Optional.of("a"), Map.of("a", context)).write();
        Connection.of(Map.of(), Map.of(Contexts.VARIABLE, file.toString()));
    }

    private static void on(String flag, String url) {
        run("acquire", "a", "--lease-id", LEASE, flag, url);
        run("renew", "a", "--lease-id", LEASE, flag, url);
        for (String format : List.of("table", "json")) {
            run("ls", "-o", format, flag, url);
            run("get", "a", "-o", format, flag, url);
            run("history", "a", "-o", format, flag, url);
        }
        run("explain", "a", flag, url);
        run("release", "a", "--lease-id", LEASE, flag, url);
        run("exec", "a", flag, url, "--", "true");
        run("state", "ls", flag, url);
        run("doctor", flag, url);
    }

    private static void server(Path directory) {
        try (RehearsalServer server = new RehearsalServer(directory)) {
            on("--server", server.url());
            run("health", "--server", server.url());
            run("guard", "status", "--server", server.url());
            run("ls", "--server", server.url().replace("http:", "https:")); // refused, but TLS is loaded
        }
    }

    /** The driver deletes what it unpacked when this process ends, {@code sqlite-version-random-libname}; the copy stays. */
    private static void keepLibrary(Path directory) throws IOException {
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(directory, "sqlite-*{.so,.dylib,.jnilib}")) {
            for (Path library : unpacked) {
                String name = library.getFileName().toString();
                Path copy = Files.copy(library, directory.resolve(name + ".new"));
                Files.move(
                        copy,
                        directory.resolve(name.substring(name.lastIndexOf('-') + 1)),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** A command that fails has loaded its classes all the same. */
    private static void run(String... args) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Main.commandLine(args).setOut(nowhere).setErr(nowhere).execute(args);
    }
}
