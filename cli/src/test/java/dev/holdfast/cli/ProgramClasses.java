package dev.holdfast.cli;

import dev.holdfast.cli.admin.TemporaryFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * From where the program has its classes when tests start it: out of an archive, as one that is installed, because to load them
 * is most of a start. The first test makes it for all tests of this build, beside them; until it is there, and where it cannot be
 * made, programs start without.
 */
public final class ProgramClasses {
    /** The last one, or newer JDKs warn of SQLite's driver. */
    private static final List<String> FAST =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
    /** The build may start tests with a jar that only names the class path. */
    private static final String PLAIN =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private static final List<Path> ENTRIES = Stream.of(PLAIN.split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    /** Another one when something was compiled since. */
    private static final Path PLACE = Path.of("target", "program-" + PLAIN.hashCode() + "-" + lastChange())
            .toAbsolutePath();

    private static final Path ARCHIVE = PLACE.resolve("classes.jsa");
    private static final Path LIBRARY = PLACE.resolve("libsqlitejdbc.so");

    static {
        if (!Files.exists(ARCHIVE)) {
            Thread maker = new Thread(ProgramClasses::make, "classes of the program");
            maker.setDaemon(true);
            maker.start();
        }
    }

    private ProgramClasses() {}

    /** The words that start the program; its own come behind them. */
    public static List<String> words() {
        List<String> words = new ArrayList<>(List.of(java()));
        words.addAll(FAST);
        words.addAll(flags());
        words.add(Main.class.getName());
        return words;
    }

    /** The words that tell a JVM where the classes are. */
    public static List<String> flags() {
        if (!Files.exists(ARCHIVE)) {
            return List.of("-cp", PLAIN);
        }
        // Not moved to a random address, which takes long. And SQLite's driver would unpack its library each time.
        List<String> words = new ArrayList<>(List.of(
                "-XX:SharedArchiveFile=" + ARCHIVE,
                "-Xshare:auto",
                "-Xlog:cds*=off:stderr",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0"));
        if (Files.exists(LIBRARY)) {
            words.add("-Dorg.sqlite.lib.path=" + PLACE);
            words.add("-Dorg.sqlite.lib.name=" + LIBRARY.getFileName());
        }
        words.addAll(List.of("-cp", jars()));
        return words;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static long lastChange() {
        long last = 0;
        for (Path entry : ENTRIES) {
            try (Stream<Path> files = Files.walk(entry)) {
                last = files.mapToLong(it -> it.toFile().lastModified()).reduce(last, Math::max);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return last;
    }

    /** An archive is made of jars alone: each directory becomes one. */
    private static String jars() {
        return IntStream.range(0, ENTRIES.size())
                .mapToObj(i -> Files.isDirectory(ENTRIES.get(i)) ? jar(i) : ENTRIES.get(i))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jar(int entry) {
        return PLACE.resolve(entry + ".jar");
    }

    private static void make() {
        try {
            Files.createDirectories(PLACE);
            try (FileChannel channel = FileChannel.open(
                            PLACE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock == null || Files.exists(ARCHIVE)) {
                    return; // another process makes it
                }
                deleteOthers();
                for (int i = 0; i < ENTRIES.size(); i++) {
                    if (Files.isDirectory(ENTRIES.get(i))) {
                        pack(ENTRIES.get(i), jar(i));
                    }
                }
                String list = PLACE.resolve("classes").toString();
                List<String> rehearsal = new ArrayList<>(FAST);
                rehearsal.addAll(List.of("-XX:DumpLoadedClassList=" + list, "-Djava.io.tmpdir=" + PLACE));
                rehearsal.addAll(List.of("-cp", jars(), Main.class.getName(), "rehearse", "--keep-native", "" + PLACE));
                run(rehearsal);
                Path made = PLACE.resolve("made.jsa");
                run(List.of(
                        "-Xshare:dump",
                        "-XX:+UseG1GC", // with it, the archive has objects too
                        "-XX:SharedClassListFile=" + list,
                        "-XX:SharedArchiveFile=" + made,
                        "-cp",
                        jars()));
                Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            System.err.println("Programs start without an archive of classes: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those of builds before this one. */
    private static void deleteOthers() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PLACE.getParent(), "program-*")) {
            for (Path one : all) {
                if (!one.equals(PLACE)) {
                    TemporaryFiles.delete(one);
                }
            }
        }
    }

    private static void pack(Path directory, Path jar) throws IOException {
        int code = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                        System.err,
                        System.err,
                        "--create",
                        "--no-compress",
                        "--file",
                        "" + jar,
                        "-C",
                        "" + directory,
                        ".");
        if (code != 0) {
            throw new IOException(directory + " could not be packed");
        }
    }

    private static void run(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java(), "-Xlog:disable"));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(PLACE.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().put("HOME", PLACE.toString());
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IOException(Files.readString(PLACE.resolve("log")));
        }
    }
}
