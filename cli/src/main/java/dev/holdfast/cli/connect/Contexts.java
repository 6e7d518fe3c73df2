package dev.holdfast.cli.connect;

import dev.holdfast.Stores;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.NearWords;
import dev.holdfast.cli.text.Yaml;
import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The contexts of this user: a small YAML file that people may also write by hand.
 *
 * <p>It has no secrets in it, only names of files that have: a token of its own is refused. Since it decides where locks are taken, one
 * that others could change is refused too: one that its group or everybody may write, and one that belongs to neither this user nor
 * root. The directories above it are not looked at.
 *
 * @param file where they are kept
 * @param current the one that is used when none is named
 * @param all by name, in the order of the file
 */
public record Contexts(Path file, Optional<String> current, Map<String, Context> all) {
    public static final String VARIABLE = "HOLDFAST_CONTEXT_FILE";

    private static final Lock ONE_HERE = new ReentrantLock();

    private static final String HEADER =
            "# Where holdfast finds its locks; see 'holdfast help context'. Comments are not kept.\n";

    public static Path place(Map<String, String> environment) {
        return set(environment, VARIABLE)
                .map(Path::of)
                .orElseGet(() -> set(environment, "XDG_CONFIG_HOME")
                        .map(Path::of)
                        .filter(Path::isAbsolute)
                        .orElseGet(() -> home(environment).resolve(".config"))
                        .resolve("holdfast")
                        .resolve("config.yaml"));
    }

    static Path home(Map<String, String> environment) {
        return Path.of(set(environment, "HOME").orElse(System.getProperty("user.home", "")));
    }

    static Optional<String> set(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isBlank());
    }

    /** Those that commands use: none if there is no file, unless one was named. */
    public static Contexts read(Map<String, String> environment) {
        Path file = place(environment);
        if (set(environment, VARIABLE).isPresent() && !Files.exists(file)) {
            throw wrong("There is no file '" + file + "' (" + VARIABLE + "). 'holdfast context set' creates it");
        }
        return readIfAny(environment);
    }

    /** The same to change them: a file that is not there yet is empty. */
    public static Contexts readIfAny(Map<String, String> environment) {
        Path file = place(environment);
        if (!Files.exists(file)) {
            return new Contexts(file, Optional.empty(), Map.of());
        }
        FileProblem.of(file, "contexts").ifPresent(problem -> {
            throw wrong(problem);
        });
        try {
            Set<PosixFilePermission> rights = rights(file);
            if (rights.contains(PosixFilePermission.GROUP_WRITE) || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw wrong(
                        "Others may change '" + file + "', and with it where your locks are. Run: chmod 600 " + file);
            }
            FileOwner.other(file).ifPresent(owner -> {
                throw wrong("'" + file + "' belongs to '" + owner
                        + "', who may change it, and with it where your locks are. Use a file of your own or of root;"
                        + " " + VARIABLE + " can name it");
            });
            Contexts read = new ContextsReader(file, home(environment)).read(Files.readString(file));
            boolean open =
                    rights.contains(PosixFilePermission.GROUP_READ) || rights.contains(PosixFilePermission.OTHERS_READ);
            if (open && read.hasPassword()) {
                throw wrong("Others may read '" + file + "', and a store in it has a password. Run: chmod 600 " + file);
            }
            return read;
        } catch (IOException e) {
            throw wrong("The contexts in '" + file + "' cannot be read: " + FileProblem.why(e));
        }
    }

    private static Set<PosixFilePermission> rights(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) {
            return Set.of(); // a file system without such permissions
        }
    }

    private boolean hasPassword() {
        return all.values().stream()
                .anyMatch(context -> context.get(Context.STORE)
                        .filter(url -> !Stores.masked(url).equals(url))
                        .isPresent());
    }

    /** The one of this name, which somebody has named; where that was, if it is not plain to see. */
    public Context get(String name, Optional<String> origin) {
        Context found = all.get(name);
        if (found == null) {
            throw wrong("There is no context '" + name + "' in " + file
                    + origin.map(it -> " (" + it + ")").orElse("") + "."
                    + (all.isEmpty()
                            ? " Make it: holdfast context set " + name + " --server URL"
                            : NearWords.near(name, all.keySet()).isEmpty()
                                    ? " There are: " + String.join(", ", all.keySet())
                                    : NearWords.ending(name, all.keySet())));
        }
        return found;
    }

    /** With another one in use, or none. */
    public Contexts using(Optional<String> name) {
        return new Contexts(file, name, all);
    }

    /** With this one besides, or instead of the one of its name. */
    public Contexts with(Context context) {
        Map<String, Context> more = new LinkedHashMap<>(all);
        more.put(context.name(), context);
        return new Contexts(file, current, more);
    }

    /** Without this one; if it was in use, none is. */
    public Contexts without(String name) {
        Map<String, Context> less = new LinkedHashMap<>(all);
        less.remove(name);
        return new Contexts(file, current.filter(it -> !it.equals(name)), less);
    }

    /**
     * Reads, changes and writes them while no other command does: two that read the same file would lose a change of one of them. The
     * lock is on a file beside it, because the file itself is replaced.
     */
    public static <T> T changing(Map<String, String> environment, Supplier<T> change) {
        Path file = place(environment);
        ONE_HERE.lock(); // of the threads of a process only one may ask for the lock of a file
        try (FileChannel channel = lockFile(file)) {
            channel.lock(); // until the channel is closed, or the process is gone
            return change.get();
        } catch (IOException e) {
            throw unwritable(file, e);
        } finally {
            ONE_HERE.unlock();
        }
    }

    private static FileChannel lockFile(Path file) throws IOException {
        Path real = real(file);
        PrivateFiles.createDirectories(directory(real));
        return PrivateFiles.open(
                real.resolveSibling("." + real.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    /** It may be linked from elsewhere. */
    private static Path real(Path file) throws IOException {
        return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    }

    private static Path directory(Path real) {
        return Optional.ofNullable(real.getParent()).orElse(Path.of("/"));
    }

    private static CommandException unwritable(Path file, IOException e) {
        return new CommandException("The contexts in '" + file + "' cannot be written: " + FileProblem.why(e));
    }

    /** Replaces the file, at once and only readable by its owner. Who read it before does that {@link #changing}. */
    public void write() {
        try {
            Path real = real(file);
            Path directory = directory(real);
            PrivateFiles.createDirectories(directory);
            Path next = Files.createTempFile(directory, "." + real.getFileName(), ".new"); // made with 0600
            try {
                try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = StandardCharsets.UTF_8.encode(HEADER + yaml());
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    channel.force(true);
                }
                Files.move(next, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private String yaml() {
        ObjectBuilder contexts = Json.build();
        all.forEach((name, context) -> {
            ObjectBuilder one = Json.build();
            context.settings().forEach((key, value) -> one.with(key, value));
            contexts.with(name, one.build());
        });
        ObjectBuilder whole = Json.build();
        whole.ifPresent(ContextsReader.CURRENT, current);
        whole.with(ContextsReader.CONTEXTS, contexts.build());
        return Yaml.ofJson(whole.build().compact());
    }

    static CommandException wrong(String what) {
        return new CommandException(what, ExitCodes.USAGE);
    }
}
