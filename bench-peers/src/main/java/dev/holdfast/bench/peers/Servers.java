package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The servers of this run, each started when it is first needed. One that does not start is not tried again. */
final class Servers implements AutoCloseable {
    private final Path directory;
    private final Map<Server, RunningServer> running = new EnumMap<>(Server.class);
    private final Map<Server, String> failed = new EnumMap<>(Server.class);

    Servers(Path directory) {
        this.directory = directory;
    }

    RunningServer get(Server kind) throws MissingPartException, InterruptedException {
        String reason = failed.get(kind);
        if (reason != null) {
            throw new MissingPartException(reason);
        }
        RunningServer server = running.get(kind);
        if (server == null) {
            try {
                server = kind == Server.HTTP ? onPostgres() : RunningServer.start(kind, place(kind.name()));
            } catch (IOException e) {
                String failure = kind + " did not start: " + e.getMessage();
                failed.put(kind, failure);
                throw new MissingPartException(failure);
            }
            running.put(kind, server);
        }
        return server;
    }

    /** Another server of ours on SQLite, in a directory of its own; whoever asks closes it. */
    RunningServer onSqlite() throws IOException, InterruptedException {
        Path place = place("sqlite");
        return RunningServer.http("sqlite:" + place.resolve("locks.db") + "?mode=exclusive", List.of(), place);
    }

    /** Another server of ours on the same PostgreSQL; whoever asks closes it. */
    RunningServer onPostgres() throws MissingPartException, IOException, InterruptedException {
        RunningServer postgres = get(Server.POSTGRES);
        return RunningServer.http(
                postgres.address()
                        .replace("jdbc:postgresql://", "postgresql://postgres@")
                        .replace("?user=postgres", ""),
                postgres.pids(),
                place("http"));
    }

    /** A new directory. */
    Path place(String name) throws IOException {
        return Files.createTempDirectory(directory, name);
    }

    @Override
    public void close() {
        // Those that stand on another first.
        RunningServer http = running.remove(Server.HTTP);
        if (http != null) {
            http.close();
        }
        running.values().forEach(RunningServer::close);
    }
}
