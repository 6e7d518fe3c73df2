package dev.holdfast.bench.peers.server;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A server in a process of its own, what a contender connects to, and the roots of all processes whose time counts as the server's. */
public record RunningServer(ChildJvm process, String address, List<Long> pids) implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    /** Starts one with its data here. */
    public static RunningServer start(ComparedLibrary.Server kind, Path directory)
            throws IOException, InterruptedException {
        return start(kind.name().toLowerCase(Locale.ROOT), directory, ChildJvm.SILENT, List.of(), List.of());
    }

    /** Starts a server of ours on this store, which is kept by these processes. */
    public static RunningServer http(String store, List<Long> below, Path directory)
            throws IOException, InterruptedException {
        return start("http", directory, List.of(), List.of(store), below);
    }

    private static RunningServer start(
            String kind, Path directory, List<String> flags, List<String> more, List<Long> below)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(kind, directory.toString()));
        arguments.addAll(more);
        ChildJvm process = ChildJvm.start(ServerProgram.class, flags, arguments);
        try {
            String[] ready = process.expect("ready ", START_LIMIT).split(" ", 2);
            List<Long> pids = new ArrayList<>(below);
            pids.add(Long.parseLong(ready[0]));
            return new RunningServer(process, ready[1], List.copyOf(pids));
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
