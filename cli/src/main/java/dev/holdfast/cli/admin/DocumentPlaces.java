package dev.holdfast.cli.admin;

import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.jdbc.SqliteDocuments;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Where the documents of the two stores are: beside the locks, or where {@code state.store} and {@code guard.store} say. */
public final class DocumentPlaces {
    private static final String NONE = "none";
    private static final String FILES = "file:";

    @Option(
            names = "--documents-from",
            paramLabel = "URL",
            description =
                    "Where the source's documents are (state of stacks, guard), if not beside its locks: what the server"
                            + " has as state.store or guard.store. If these are two places, run this once for each. 'none' leaves"
                            + " documents behind.")
    private Optional<String> source = Optional.empty();

    @Option(
            names = "--documents-to",
            paramLabel = "URL",
            description =
                    "Where they go, if not beside the target's locks. The same as --documents-from if they stay where"
                            + " they are.")
    private Optional<String> target = Optional.empty();

    /** Whether documents are left behind because that was asked for. */
    boolean isLeftBehind() {
        return source.equals(Optional.of(NONE));
    }

    boolean isUsual() {
        return source.isEmpty() && target.isEmpty();
    }

    String from(String locks) {
        return source.orElse(locks);
    }

    String to(String locks) {
        return target.orElse(locks);
    }

    boolean isSamePlace(String fromLocks, String toLocks) {
        return identity(from(fromLocks)).equals(identity(to(toLocks)));
    }

    /** The source's documents; nothing is made where there are none. */
    DocumentStore openSource(String locks) {
        return isMissing(from(locks))
                ? new MemoryDocuments()
                : open(from(locks), "--documents-from", DocumentStores::open);
    }

    DocumentStore openTarget(String locks) {
        return open(to(locks), "--documents-to", DocumentStores::open);
    }

    /** The same to look only: nothing is made. */
    DocumentStore lookAtTarget(String locks, StandIns standIns) {
        return open(to(locks), "--documents-to", standIns::documents);
    }

    private static DocumentStore open(String url, String option, Function<String, DocumentStore> opened) {
        try {
            return opened.apply(url);
        } catch (StoreUnusableException e) {
            throw new StoreUnusableException(e.getMessage() + advice(option), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + advice(option), e);
        }
    }

    private static String advice(String option) {
        return ". If the documents are elsewhere, name the place with " + option
                + "; if there are none, say --documents-from none";
    }

    /** A place on this machine that opening would make. */
    public static boolean isMissing(String url) {
        if (StoreFile.is(url)) {
            return !SqliteDocuments.exist(StoreFile.path(url));
        }
        return url.startsWith(FILES) && !Files.isDirectory(directory(url));
    }

    /** What was named, as far as it is a place. */
    Stream<String> named() {
        return Stream.concat(source.stream(), target.stream()).filter(url -> !url.equals(NONE));
    }

    /** A place that was named and is not there: a mistake, not an empty one. */
    Optional<String> missingSource() {
        return source.filter(DocumentPlaces::isMissing);
    }

    static Path directory(String url) {
        String path = url.substring(FILES.length());
        return Path.of(path.startsWith("///") ? path.substring(2) : path);
    }

    /** The same for the same place from wherever it is called. */
    public static String identity(String url) {
        if (StoreFile.is(url)) {
            return "sqlite:" + StoreFile.path(url).toAbsolutePath().normalize();
        }
        return url.startsWith(FILES) ? FILES + directory(url).toAbsolutePath().normalize() : withoutPassword(url);
    }

    /** To compare, never to show: what is shown hides more than the password, and may look the same for two places. */
    private static String withoutPassword(String url) {
        return url.replaceFirst("://([^/@:]*):[^/]*@", "://$1@").replaceAll("(?i)([?&;]\\w*password=)[^&;]*", "$1");
    }
}
