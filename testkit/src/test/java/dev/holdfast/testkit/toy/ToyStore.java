package dev.holdfast.testkit.toy;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.RecordStore;
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
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
    private static final StoreTraits TRAITS = StoreTraits.of("toy", Duration.ofMillis(500))
            .withBlocking(true)
            .withWriters(4)
            .withMaxBatch(100);

    private final Path directory;
    private final LocalTime time;
    private volatile boolean closed;

    ToyStore(Path directory, LocalTime time) {
        this.directory = directory;
        this.time = time;
    }

    /** One version of a record; an empty record was deleted, or never there. */
    private record Version(int number, Optional<LockRecord> record) {
        Optional<Versioned> found() {
            return record.map(Versioned::of);
        }
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return answer("reading", () -> latest(home(key)).found());
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return answer("writing", () -> writes.stream().map(this::writeOne).toList());
    }

    private WriteResult writeOne(Write write) {
        try {
            Version there = latest(home(write.key()));
            Optional<WriteResult> refused = there.record().isPresent()
                    ? refusal(write, there.record().get())
                    : write.precondition() instanceof Precondition.Stamped
                            ? Optional.of(new WriteResult.Refused(Optional.empty()))
                            : Optional.empty();
            return refused.isPresent() ? refused.get() : replace(write, there);
        } catch (StoreException e) {
            return new WriteResult.Failed(e);
        } catch (IOException e) { // before the link was made
            return new WriteResult.Failed(new StoreUnavailableException("Cannot write below " + directory, e));
        }
    }

    /** Why this record may not be replaced; empty if it may. */
    private Optional<WriteResult> refusal(Write write, LockRecord there) {
        Precondition wanted = write.precondition();
        if (wanted instanceof Precondition.Stamped stamped && stamped.stamp().equals(there.stamp())) {
            Optional<Instant> early = stamped.notBefore().filter(now()::isBefore);
            return early.map(until -> new WriteResult.TooEarly());
        }
        boolean met =
                wanted instanceof Precondition.IdleBelow idle && write.record().isPresent() && idle.isMetBy(there);
        return met ? Optional.empty() : Optional.of(new WriteResult.Refused(Optional.of(Versioned.of(there))));
    }

    private WriteResult replace(Write write, Version there) throws IOException {
        // What a record remembers must survive a write by somebody who never saw it.
        Optional<Past> kept = write.precondition() instanceof Precondition.IdleBelow
                ? there.record().map(LockRecord::past)
                : Optional.empty();
        Optional<LockRecord> next =
                write.record().map(record -> kept.map(record::withPast).orElse(record));
        Path home = Files.createDirectories(home(write.key()));
        Path made = Files.createTempFile(directory, "new-", ".tmp");
        try {
            Files.writeString(made, next.map(ToyStore::text).orElse(""));
            Files.createLink(home.resolve("%010d".formatted(there.number() + 1)), made);
            return new WriteResult.Applied("", kept);
        } catch (FileAlreadyExistsException e) { // somebody was faster
            return new WriteResult.Refused(latest(home).found());
        } catch (IOException e) {
            throw new OutcomeUnknownException("The link may or may not have been made in " + home, e);
        } finally {
            Files.delete(made);
        }
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return answer("listing", () -> {
            Optional<RecordKey> after = request.cursor().map(ToyStore::key);
            List<Versioned> all;
            try (Stream<Path> homes = Files.list(directory)) {
                all = homes.filter(Files::isDirectory)
                        .flatMap(home -> latest(home).found().stream())
                        .filter(found -> matches(request, found.record()))
                        .filter(found -> after.isEmpty() || found.record().key().compareTo(after.get()) > 0)
                        .sorted(Comparator.comparing(found -> found.record().key()))
                        .toList();
            }
            if (all.size() <= request.limit()) {
                return new Page(all, Optional.empty());
            }
            List<Versioned> page = all.subList(0, request.limit());
            return new Page(
                    page, Optional.of(text(page.get(page.size() - 1).record().key())));
        });
    }

    private static boolean matches(ScanRequest request, LockRecord record) {
        return request.namespace().map(record.key().namespace()::equals).orElse(true)
                && record.key().name().startsWith(request.prefix())
                && request.which().matches(record);
    }

    /** The engine judges a failure by its type, so each request ends in one that says what became of it. */
    private <T> CompletionStage<T> answer(String doing, Callable<T> work) {
        try {
            if (closed) {
                throw new StoreUnavailableException("The store in " + directory + " was closed", null);
            }
            return CompletableFuture.completedFuture(work.call());
        } catch (StoreException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("Failed while " + doing + " below " + directory, e));
        }
    }

    // ---- files

    private Path home(RecordKey key) {
        return directory.resolve(Sha256.of(text(key).getBytes(StandardCharsets.UTF_8)));
    }

    private static Version latest(Path home) {
        if (!Files.exists(home)) {
            return new Version(0, Optional.empty());
        }
        try (Stream<Path> versions = Files.list(home)) {
            Optional<Path> last = versions.max(Comparator.naturalOrder());
            return last.isEmpty()
                    ? new Version(0, Optional.empty())
                    : new Version(
                            Integer.parseInt(last.get().getFileName().toString()),
                            record(Files.readString(last.get())));
        } catch (IOException e) {
            throw new StoreUnavailableException("Cannot read " + home, e);
        }
    }

    private static String text(LockRecord record) {
        return String.join(
                "\n",
                text(record.key()),
                record.stamp().toString(),
                Long.toString(record.fence().value()),
                RecordCodec.body(record),
                PastJson.write(record.past()));
    }

    /** The codec refuses what is damaged. */
    private static Optional<LockRecord> record(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String[] lines = text.split("\n", -1);
        Stamp stamp = new Stamp(Long.parseUnsignedLong(lines[1], 16));
        return Optional.of(
                RecordCodec.decode(key(lines[0]), stamp, new Token(Long.parseLong(lines[2])), lines[3], lines[4]));
    }

    private static String text(RecordKey key) {
        return key.namespace() + "/" + URLEncoder.encode(key.name(), StandardCharsets.UTF_8);
    }

    private static RecordKey key(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("cursor is not one that a listing gave out; start again without it");
        }
        return new RecordKey(
                text.substring(0, slash), URLDecoder.decode(text.substring(slash + 1), StandardCharsets.UTF_8));
    }

    // ---- the rest

    private Instant now() {
        return time.wall();
    }

    @Override
    public StoreClock clock() {
        return new StoreClock() {
            @Override
            public Optional<Reading> now() {
                return Optional.of(Reading.exactly(time.wall()));
            }

            @Override
            public CompletionStage<Void> measure() {
                return answer("reading the clock", () -> null);
            }
        };
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public void close() {
        closed = true;
    }
}
