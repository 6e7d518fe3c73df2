package dev.holdfast.bench.peers.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Processor time of processes with all they started, from Linux's {@code /proc}. Children that have ended count with their parent, so the
 * sum never falls.
 */
public final class ProcessTime {
    private static final Path PROC = Path.of("/proc");
    /** Of every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    /** After the name in brackets: the fields of {@code /proc/PID/stat} that are used. */
    private static final int PARENT = 1;

    private static final int FIRST_TIME = 11;
    private static final int LAST_TIME = 14;

    private record Stat(long pid, long parent, long ticks) {}

    private ProcessTime() {}

    /** Seconds of processor time used by these processes and all below them; not a number where that cannot be known. */
    public static double seconds(List<Long> roots) {
        if (roots.isEmpty() || !Files.isDirectory(PROC.resolve("self"))) {
            return Double.NaN;
        }
        Map<Long, List<Stat>> children = new HashMap<>();
        Map<Long, Stat> all = new HashMap<>();
        for (Stat stat : all()) {
            all.put(stat.pid(), stat);
            children.computeIfAbsent(stat.parent(), parent -> new ArrayList<>()).add(stat);
        }
        List<Stat> next = new ArrayList<>();
        for (long root : roots) {
            Stat found = all.get(root);
            if (found == null) {
                return Double.NaN;
            }
            next.add(found);
        }
        long ticks = 0;
        while (!next.isEmpty()) {
            Stat stat = next.remove(next.size() - 1);
            ticks += stat.ticks();
            next.addAll(children.getOrDefault(stat.pid(), List.of()));
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** The parent of a process; empty text in {@code /proc} means it is gone. */
    static long parent(long pid) throws IOException {
        return stat(Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat")))
                .parent();
    }

    private static List<Stat> all() {
        List<Stat> stats = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                stat(process).ifPresent(stats::add);
            }
        } catch (IOException e) {
            return List.of();
        }
        return stats;
    }

    /** Empty if it has ended meanwhile. */
    private static Optional<Stat> stat(Path process) {
        try {
            return Optional.of(stat(Files.readString(process.resolve("stat"))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A line of {@code /proc/PID/stat}; the name of the program may contain anything, brackets too. */
    private static Stat stat(String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return new Stat(Long.parseLong(line.substring(0, line.indexOf(' '))), Long.parseLong(fields[PARENT]), ticks);
    }
}
