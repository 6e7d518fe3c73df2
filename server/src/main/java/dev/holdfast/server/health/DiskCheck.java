package dev.holdfast.server.health;

import dev.holdfast.server.health.HealthPart.Name;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Whether there is room where the server writes files. Blocks, as disks do. */
public record DiskCheck(List<Place> places, long minFree) {
    private static final int MAX_FILES = 100;

    /**
     * Somewhere the server writes.
     *
     * @param what is written there, as it ends a sentence: {@code the embedded store}
     * @param path a file or directory, which need not exist yet
     * @param needed whether the server cannot work without it
     */
    public record Place(String what, Path path, boolean needed) {}

    /** The least that is free on a disk that is needed, in bytes; empty where there is none, or it does not tell. */
    public OptionalLong leastFree() {
        return places.stream()
                .filter(Place::needed)
                .map(Place::path)
                .mapToLong(DiskCheck::free)
                .filter(free -> free >= 0)
                .min();
    }

    /**
     * A file of the server's.
     *
     * @param name without its directory
     */
    public record Size(String name, long bytes) {}

    /** The files it writes, with those beside them that begin the same, such as the journal of a database; {@value #MAX_FILES} at most. */
    public List<Size> files() {
        List<Size> found = new ArrayList<>();
        for (Place place : places) {
            Path path = place.path().toAbsolutePath();
            Path parent = path.getParent();
            Path file = path.getFileName();
            if (parent == null || file == null || Files.isDirectory(path)) {
                continue;
            }
            String start = file.toString().replaceFirst("\\.[a-z]{1,5}$", "");
            try (DirectoryStream<Path> beside = Files.newDirectoryStream(parent, it -> Files.isRegularFile(it))) {
                for (Path one : beside) {
                    String name = String.valueOf(one.getFileName());
                    Size size = new Size(name, Files.size(one));
                    if (name.startsWith(start) && found.size() < MAX_FILES && !found.contains(size)) {
                        found.add(size);
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                // not there yet, or gone meanwhile
            }
        }
        return found;
    }

    HealthPart look() {
        if (places.isEmpty()) {
            return HealthPart.off(Name.DISK, "Nothing is kept on a disk of this machine.");
        }
        List<String> well = new ArrayList<>();
        List<String> scarce = new ArrayList<>();
        boolean needed = false;
        for (Place place : places) {
            long free = free(place.path());
            if (free < 0) {
                well.add("how much is free for " + place.what() + " cannot be determined");
                continue;
            }
            needed |= place.needed() && free < minFree;
            (free < minFree ? scarce : well).add(size(free) + " are free for " + place.what());
        }
        if (scarce.isEmpty()) {
            return HealthPart.up(Name.DISK, sentence(String.join("; ", well)) + ".");
        }
        String detail = "the disk is nearly full: " + String.join("; ", scarce) + ". At least " + size(minFree)
                + " must be free (server.health.min-free). Make room; no restart is needed";
        return needed ? HealthPart.down(Name.DISK, detail) : HealthPart.warn(Name.DISK, detail);
    }

    /** What is not there yet will be in the directory above it. Negative: nobody can tell. */
    private static long free(Path path) {
        Path there = path.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            return Files.getFileStore(there).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    private static String sentence(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String size(long bytes) {
        if (bytes < 1 << 20) {
            return (bytes >> 10) + " KB";
        }
        return bytes < 10L << 30 ? (bytes >> 20) + " MB" : (bytes >> 30) + " GB";
    }
}
