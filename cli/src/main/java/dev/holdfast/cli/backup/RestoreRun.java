package dev.holdfast.cli.backup;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupVisitor;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import dev.holdfast.wire.backup.StoreTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * One run of {@code restore}: the file was read whole before it begins; the target is looked at, emptied if that was asked for, written,
 * and compared with the file. History, fences and documents go first, locks last: a lock that is there has its history and its documents.
 */
final class RestoreRun {
    /** Where the history says that the store was restored. */
    private static final RecordKey TOLD = new RecordKey("holdfast", "restore");
    /** More names than this help nobody. */
    private static final int MOST_TOLD = 20;

    private static final int PAGE = 200;

    private final PrintWriter out;
    private final PrintWriter err;
    private final BackupFile file;
    private final BackupSummary backup;
    private final RestoreTarget target;
    private final List<String> wrong = new ArrayList<>();
    private int documents;

    RestoreRun(CommandLine command, BackupFile file, BackupSummary backup, RestoreTarget target) {
        this.out = command.getOut();
        this.err = command.getErr();
        this.file = file;
        this.backup = backup;
        this.target = target;
    }

    /** Looks only, and says what stands against it. */
    boolean isRefused(boolean replace) throws IOException {
        return isRefused(target.look(), StoreTime.of(target.store()), replace, "Refused; nothing was written");
    }

    private boolean isRefused(
            RestoreTarget.Contents there, StoreClock.Reading clock, boolean replace, String consequence)
            throws IOException {
        List<String> problems = new ArrayList<>();
        Token newest = DocumentPages.later(backup.totals().newest(), there.newest());
        behind(newest, clock).ifPresent(problems::add);
        tooLarge().ifPresent(problems::add);
        if (!replace) {
            there.inUse().forEach(place -> problems.add(notEmpty(place)));
        }
        if (problems.isEmpty()) {
            return false;
        }
        problems.forEach(err::println);
        err.println(consequence);
        return true;
    }

    int run(boolean replace, boolean dryRun) throws IOException {
        RestoreTarget.Contents there = target.look();
        StoreClock.Reading clock = StoreTime.of(target.store());
        if (isRefused(there, clock, replace, dryRun ? "It would be refused" : "Refused; nothing was written")) {
            return ExitCodes.CHECK_SAID_NO;
        }
        leftOut();
        if (dryRun) {
            out.println("dry run: nothing is in the way"
                    + (there.isNone() ? "" : "; this would first be removed: " + told(there))
                    + "; nothing was written");
            return ExitCodes.OK;
        }
        RestoredLock restored = new RestoredLock(backup.header().createdAt(), clock.latest(), Operator.label());
        if (!there.isNone()) {
            there.inUse().forEach(place -> err.println("Removing what is in " + place.shown() + ": " + place.told()));
            wrong.addAll(target.clear());
        }
        if (wrong.isEmpty()) {
            write(restored, there);
            compare(restored);
        }
        return end(restored, clock);
    }

    // ---- what stands against it

    /** Tokens of locks that nobody remembers are known only to be behind the clock. */
    private static Optional<String> behind(Token newest, StoreClock.Reading clock) {
        long behind = newest.value() - Times.micros(clock.earliest());
        return behind < 0
                ? Optional.empty()
                : Optional.of("The target's clock is behind: it shows " + clock.earliest()
                        + ", and a token of " + Times.ofMicros(newest.value())
                        + " was given out. Tokens would not grow. Set the clock right, or wait "
                        + Ages.of(Duration.ofSeconds(behind / 1_000_000 + 1)));
    }

    private Optional<String> tooLarge() throws IOException {
        List<String> found = new ArrayList<>();
        file.read(new BackupVisitor() {
            @Override
            public void document(int ordinal, String name, Map<String, String> attributes, byte[] content) {
                long most = target.documents().of(name).maxSize();
                if (counts(ordinal, name) && content.length > most && found.isEmpty()) {
                    found.add("Document '" + name + "' has " + content.length + " bytes; "
                            + target.documents().of(name).kind() + " keeps at most " + most
                            + ". Name another place with " + target.documents().optionOf(name));
                }
            }
        });
        return found.stream().findFirst();
    }

    private boolean counts(int ordinal, String name) {
        return Integer.valueOf(ordinal).equals(backup.latest().get(name));
    }

    private void leftOut() {
        if (backup.totals().events() > 0 && !(target.store() instanceof EventLog)) {
            err.println("The history is left out: this kind of store keeps none");
        }
        if (backup.totals().fences() > 0 && !(target.store() instanceof FencedTokens)) {
            err.println(
                    "The tokens that tables check (holdfast_fence) are left out: they belong in the database of those"
                            + " tables");
        }
    }

    private static String notEmpty(RestoreTarget.PlaceContents place) {
        return place.shown() + " is not empty: " + place.told() + ". Name an empty store with " + place.option()
                + ", or use --replace to remove all of that first";
    }

    private static String told(RestoreTarget.Contents there) {
        return there.inUse().stream()
                .map(place -> place.shown() + ": " + place.told())
                .collect(Collectors.joining("; "));
    }

    // ---- writing

    private void write(RestoredLock restored, RestoreTarget.Contents there) throws IOException {
        long number = Math.max(there.lastEvent(), lastEvent()) + 1;
        target.begin(
                restored.event(
                        TOLD,
                        Map.of(
                                "locks", Long.toString(backup.totals().locks()),
                                "events", Long.toString(backup.totals().events()),
                                "documents", Long.toString(backup.totals().documents()))),
                number,
                restored.now());
        Pages<StoredEvent> events = new Pages<>(target::events);
        Pages<FencedToken> fences = new Pages<>(target::fences);
        file.read(new BackupVisitor() {
            @Override
            public void event(StoredEvent event) {
                events.add(event);
            }

            @Override
            public void fence(FencedToken fence) {
                fences.add(fence);
            }

            @Override
            public void document(int ordinal, String name, Map<String, String> attributes, byte[] content) {
                if (counts(ordinal, name)) {
                    target.document(name, attributes, content).ifPresent(wrong::add);
                }
            }
        });
        events.end();
        fences.end();
        Pages<LockRecord> locks = new Pages<>(page -> target.locks(page, restored, wrong));
        file.read(new BackupVisitor() {
            @Override
            public void lock(LockRecord record) {
                locks.add(record);
            }
        });
        locks.end();
    }

    private long lastEvent() throws IOException {
        long[] last = {0};
        file.read(new BackupVisitor() {
            @Override
            public void event(StoredEvent event) {
                last[0] = Math.max(last[0], event.number());
            }
        });
        return last[0];
    }

    private static final class Pages<T> {
        private final Consumer<List<T>> writer;
        private final List<T> page = new ArrayList<>();

        Pages(Consumer<List<T>> writer) {
            this.writer = writer;
        }

        void add(T item) {
            page.add(item);
            if (page.size() == PAGE) {
                end();
            }
        }

        void end() {
            if (!page.isEmpty()) {
                writer.accept(List.copyOf(page));
                page.clear();
            }
        }
    }

    // ---- comparing

    private void compare(RestoredLock restored) throws IOException {
        Optional<EventPages> history =
                target.store() instanceof EventLog log ? Optional.of(new EventPages(log)) : Optional.empty();
        file.read(new BackupVisitor() {
            @Override
            public void lock(LockRecord record) {
                if (!target.has(record, restored)) {
                    wrong.add("Lock " + KeyText.of(record.key()) + " is not in the target as it should be");
                }
            }

            @Override
            public void event(StoredEvent event) {
                if (history.isPresent() && !has(history.get(), event)) {
                    wrong.add("Event " + event.number() + " is not in the target's history as it should be");
                }
            }

            @Override
            public void document(int ordinal, String name, Map<String, String> attributes, byte[] content) {
                if (counts(ordinal, name)) {
                    documents++;
                    if (!target.has(name, attributes, content)) {
                        wrong.add("Document '" + name + "' is not in the target as it should be");
                    }
                }
            }
        });
        RestoreTarget.Contents now = target.look();
        if (now.locks() != backup.totals().locks() || now.documents() != documents) {
            wrong.add("The target has " + BackupText.count(now.locks(), "lock") + " and "
                    + BackupText.count(now.documents(), "document") + ", and the backup "
                    + BackupText.of(backup.totals())
                    + ": somebody uses it");
        }
    }

    private static boolean has(EventPages there, StoredEvent event) {
        while (there.hasNext() && there.peek().number() < event.number()) {
            there.next();
        }
        return there.hasNext() && there.next().equals(event);
    }

    // ---- telling

    private int end(RestoredLock restored, StoreClock.Reading clock) throws IOException {
        if (!wrong.isEmpty()) {
            wrong.stream().limit(MOST_TOLD).forEach(err::println);
            if (wrong.size() > MOST_TOLD) {
                err.println("and " + (wrong.size() - MOST_TOLD) + " more");
            }
            err.println("Not everything is there. Stop whatever uses the store, and run this again with --replace");
            return ExitCodes.CHECK_SAID_NO;
        }
        out.println("restored into " + Stores.masked(target.url()) + elsewhere()
                + " and compared: all there. Every token from now on is above " + restored.floor());
        holders(clock.earliest());
        checks();
        return ExitCodes.OK;
    }

    /** Who holds because the backup says so: nobody knows whether they still work. */
    private void holders(Instant now) throws IOException {
        List<String> lines = new ArrayList<>();
        long[] counts = new long[2];
        file.read(new BackupVisitor() {
            @Override
            public void lock(LockRecord record) {
                for (Hold hold : record.holds()) {
                    if (!hold.isHeld()) {
                        continue;
                    }
                    counts[0]++;
                    if (!hold.expiresAt().isAfter(now)) {
                        counts[1]++;
                    } else if (lines.size() < MOST_TOLD) {
                        lines.add("  " + KeyText.of(record.key(), hold.scope().paths()) + " held by '" + hold.owner()
                                + "', "
                                + (hold.expiresAt().equals(Times.NEVER)
                                        ? "without an end"
                                        : "until " + Rfc3339.text(hold.expiresAt())));
                    }
                }
            }
        });
        if (counts[0] == 0) {
            out.println("no lock was held when the backup was made");
            return;
        }
        out.println(BackupText.count(counts[0], "holder") + " came back from "
                + Rfc3339.text(backup.header().createdAt()) + "; the leases of " + counts[1] + " are over"
                + (lines.isEmpty() ? "" : "; these still hold:"));
        lines.forEach(out::println);
        if (counts[0] - counts[1] > lines.size()) {
            out.println("  and " + (counts[0] - counts[1] - lines.size()) + " more");
        }
    }

    private String elsewhere() {
        return target.documents().places().stream()
                .filter(place -> !place.isBesideLocks())
                .map(place -> ", documents in " + Stores.masked(place.url()))
                .collect(Collectors.joining());
    }

    private void checks() {
        String at = " --store " + Stores.masked(target.url());
        String state = target.documents()
                .stateElsewhere()
                .map(place -> " --state-store " + Stores.masked(place))
                .orElse("");
        out.println("Before the servers start again, look at:");
        out.println("  holdfast doctor" + at);
        out.println("  holdfast ls" + at
                + "      who holds what; for those no longer at work: holdfast unlock KEY --force --reason WHY");
        if (backup.totals().documents() > 0) {
            out.println("  holdfast state ls" + at + state
                    + "      then 'state verify STACK ENVIRONMENT' for each; what was deployed after the"
                    + " backup is not in it");
            out.println("  holdfast guard status" + at + "      the recorded states are as of the backup");
        }
    }
}
