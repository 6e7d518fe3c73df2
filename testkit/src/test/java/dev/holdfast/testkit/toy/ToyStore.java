package dev.holdfast.testkit.toy;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.StoreClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A store in a directory, for reading: one directory per record, one file per version of it, the highest number counts.
 *
 * <pre>
 *   locks/5f70bf18…/0000000001     read    the file with the highest number; an empty one: there is no record
 *                   0000000002     write   a file beside, then a hard link to it as the next number, which only one can make
 *                   0000000003     scan    read all, sort     clock   that of the machine
 * </pre>
 *
 * <p>Old versions stay for ever: were they removed, a writer that slept could make a number that others have left behind. That, and that
 * nothing is forced to the disk, makes it a toy.
 */
final class ToyStore implements RecordStore {
    private final Path directory;
    private final LocalTime time;
    private volatile boolean closed;

    ToyStore(Path directory, LocalTime time) {
        this.directory = directory;
        this.time = time;
    }

    /** One version of a record; an empty record was deleted, or never there. */
    private record Version(int number, Optional<LockRecord> record) {}

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return answer(() -> latest(home(key)).record().map(Versioned::of));
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return answer(() -> writes.stream().map(this::writeOne).toList());
    }

    private WriteResult writeOne(Write write) {
        try {
            Version there = latest(home(write.key()));
            Optional<LockRecord> found = there.record();
            Precondition wanted = write.precondition();
            boolean met = wanted.fold(
                    absent -> found.isEmpty(),
                    stamped -> found.map(LockRecord::stamp).equals(Optional.of(stamped.stamp())),
                    idle -> found.map(idle::isMetBy).orElse(true));
            if (!met) {
                return new WriteResult.Refused(found.map(Versioned::of));
            }
            boolean early = wanted instanceof Precondition.Stamped stamped
                    && stamped.notBefore().filter(time.wall()::isBefore).isPresent();
            return early ? new WriteResult.TooEarly() : replace(there, write);
        } catch (Exception e) {
            return new WriteResult.Failed(failure(e));
        }
    }

    private WriteResult replace(Version there, Write write) throws IOException {
        // What a record remembers must survive a write by somebody who never saw it.
        Optional<Past> kept = write.precondition() instanceof Precondition.IdleBelow
                ? there.record().map(LockRecord::past)
                : Optional.empty();
        Optional<LockRecord> next =
                write.record().map(record -> kept.map(record::withPast).orElse(record));
        Path home = Files.createDirectories(home(write.key()));
        Path made = Files.createTempFile(directory, "new-", ".tmp");
        try {
            Files.write(made, next.map(ToyStore::lines).orElse(List.of()));
            Files.createLink(home.resolve("%010d".formatted(there.number() + 1)), made);
            return new WriteResult.Applied("", kept);
        } catch (FileAlreadyExistsException e) { // somebody was faster
            return new WriteResult.Refused(latest(home).record().map(Versioned::of));
        } catch (IOException e) {
            throw new OutcomeUnknownException("The link may or may not have been made in " + home, e);
        } finally {
            made.toFile().delete(); // one that is left over does no harm
        }
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return answer(() -> {
            List<LockRecord> found = new ArrayList<>();
            try (DirectoryStream<Path> homes = Files.newDirectoryStream(directory, Files::isDirectory)) {
                for (Path home : homes) {
                    latest(home)
                            .record()
                            .filter(record -> isIn(request, record))
                            .ifPresent(found::add);
                }
            }
            found.sort(Comparator.comparing(LockRecord::key));
            List<LockRecord> page = found.subList(0, Math.min(found.size(), request.limit()));
            Optional<String> last = page.stream()
                    .skip(request.limit() - 1)
                    .map(record -> text(record.key()))
                    .findFirst();
            return new Page(page.stream().map(Versioned::of).toList(), last);
        });
    }

    private static boolean isIn(ScanRequest request, LockRecord record) {
        return request.matches(record)
                && text(record.key()).compareTo(request.cursor().orElse("")) > 0;
    }

    private <T> CompletionStage<T> answer(Callable<T> work) {
        try {
            if (closed) {
                throw new StoreUnavailableException("The store in " + directory + " was closed", null);
            }
            return CompletableFuture.completedFuture(work.call());
        } catch (Exception e) {
            return CompletableFuture.failedFuture(failure(e));
        }
    }

    /** The engine judges a failure by its type: unless it has a name, nothing was changed, since the link was not made yet. */
    private StoreException failure(Exception e) {
        return e instanceof StoreException named
                ? named
                : new StoreUnavailableException("Cannot read or write below " + directory, e);
    }

    // ---- files

    /** A key as text, in the order of keys: nothing in a namespace comes before a space. */
    private static String text(RecordKey key) {
        return key.namespace() + " " + key.name();
    }

    private Path home(RecordKey key) {
        return directory.resolve(Sha256.of(text(key).getBytes(StandardCharsets.UTF_8)));
    }

    private static Version latest(Path home) throws IOException {
        try (Stream<Path> versions = Files.exists(home) ? Files.list(home) : Stream.empty()) {
            Optional<Path> last = versions.max(Comparator.naturalOrder());
            int number = last.map(path -> Integer.parseInt(path.getFileName().toString()))
                    .orElse(0);
            return new Version(number, record(last.isEmpty() ? List.of() : Files.readAllLines(last.get())));
        }
    }

    private static List<String> lines(LockRecord record) {
        RecordKey key = record.key();
        RecordText text = RecordText.of(record, false);
        String stamp = record.stamp().toString();
        String fence = record.fence().toString();
        return List.of(key.namespace(), key.name(), stamp, fence, text.body(), text.past());
    }

    /** The codec refuses what is damaged. */
    private static Optional<LockRecord> record(List<String> lines) {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        RecordKey key = new RecordKey(lines.get(0), lines.get(1));
        Stamp stamp = new Stamp(Long.parseUnsignedLong(lines.get(2), 16));
        Token fence = new Token(Long.parseLong(lines.get(3)));
        return Optional.of(RecordCodec.decode(key, stamp, fence, lines.get(4), lines.get(5)));
    }

    // ---- the rest

    @Override
    public StoreClock clock() {
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return Optional.of(Reading.exactly(time.wall()));
            }

            @Override
            public CompletionStage<Void> measure() {
                return answer(() -> null);
            }
        };
    }

    @Override
    public StoreTraits traits() {
        return StoreTraits.of("toy", Duration.ofMillis(500))
                .withBlocking(true)
                .withWriters(4)
                .withMaxBatch(100);
    }

    @Override
    public void close() {
        closed = true;
    }
}
