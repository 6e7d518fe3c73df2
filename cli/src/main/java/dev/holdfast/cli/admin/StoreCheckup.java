package dev.holdfast.cli.admin;

import dev.holdfast.AcquireOptions;
import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureReport;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.wire.backup.StoreTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

record StoreCheckup(String url, Checkup checkup) {
    static final String NAMESPACE = "holdfast-doctor";
    private static final int ROUND_TRIPS = 20;
    /** A write-ahead log and a checkpoint of a busy store fit into this. */
    private static final long LITTLE_SPACE = 100L << 20;
    /** A place whose documents are smaller than this is not for state. */
    private static final long SMALL_STATE = 1L << 20;

    void run() throws InterruptedException {
        long start = System.nanoTime();
        RecordStore opened;
        try {
            opened = Stores.open(url, Target.PATIENCE);
        } catch (IllegalArgumentException | StoreException e) {
            checkup.fail(String.valueOf(e.getMessage()), FailureReport.code(e));
            return;
        }
        checkup.ok("store " + Stores.masked(url) + " opened in " + (System.nanoTime() - start) / 1_000_000
                + " ms, its schema is current");
        try (LockClient locks = LockClient.on(opened, ClientConfig.DEFAULT.withNamespace(NAMESPACE))) {
            checkup.check(this::space);
            checkup.check(this::views);
            checkup.check(() -> latency(opened));
            checkup.check(() -> clock(opened));
            checkup.check(() -> permissions(opened));
            checkup.check(() -> history(opened));
            documents();
            checkup.check(this::settings);
            if (!checkup.hasFailed()) {
                LockKey key = LockTrial.key(NAMESPACE);
                checkup.check(() -> LockTrial.run(locks, key, checkup));
                checkup.check(() -> tidy(opened, key.record()));
            }
        }
    }

    private void space() {
        if (!StoreFile.is(url)) {
            return;
        }
        Path file = StoreFile.path(url).toAbsolutePath();
        try {
            long free = Files.getFileStore(file).getUsableSpace();
            checkup.judge(
                    free >= LITTLE_SPACE,
                    free / (1 << 20) + " MB free where " + file + " is",
                    ": a full disk stops every lock");
        } catch (IOException e) {
            checkup.warn("how much space is free for " + file + " cannot be determined: " + e.getMessage());
        }
    }

    /** A table of that name hides our view: whoever reads it believes that nothing is locked. */
    private void views() {
        SqlSchema schema;
        try {
            schema = SqlSchema.of(url);
        } catch (IllegalArgumentException e) {
            return; // not a database with views
        }
        for (String view : schema.hiddenViews()) {
            checkup.warn("'" + view
                    + "' is a table or view of its own here, so Holdfast's view of that name is not there: whoever reads"
                    + " it does not see Holdfast's locks. Rename it, and the next start makes the view; for locks still held in"
                    + " it see: holdfast migrate --from-table");
        }
    }

    private void latency(RecordStore store) {
        long[] taken = new long[ROUND_TRIPS];
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            Uninterruptibly.answer(store.read(LockTrial.key(NAMESPACE).record()));
            taken[i] = System.nanoTime() - start;
        }
        checkup.ok(ROUND_TRIPS + " reads: " + Checkup.spread(taken));
    }

    private void clock(RecordStore store) {
        StoreClock.Reading reading = StoreTime.of(store);
        Duration width = Duration.between(reading.earliest(), reading.latest());
        Duration off = Duration.between(Instant.now(), reading.latest()).abs();
        checkup.clock(off, "store clock known within " + width.toMillis() + " ms, ");
        List<LockRecord> ahead = Uninterruptibly.answer(store.scan(ScanRequest.all())).records().stream()
                .map(found -> found.record())
                .filter(record -> record.fence().value() > Times.micros(reading.latest()))
                .toList();
        if (!ahead.isEmpty()) {
            checkup.warn("the last token of lock '" + ahead.get(0).key().name() + "' in '"
                    + ahead.get(0).key().namespace() + "' is ahead of the store's clock, by "
                    + (ahead.get(0).fence().value() - Times.micros(reading.latest())) / 1_000_000
                    + " s: the clock was set back, or the store moved. Keep its records until the clock is past them");
        }
    }

    private void permissions(RecordStore store) {
        Uninterruptibly.answer(store.scan(ScanRequest.all()));
        RecordKey key = new RecordKey(
                NAMESPACE, "permissions-" + ProcessHandle.current().pid());
        Uninterruptibly.answer(store.read(key))
                .ifPresent(left -> delete(store, left.record().stamp(), left.tag(), key));
        LockRecord record = LockRecord.empty(key).stamped(new Stamp(System.nanoTime() | 1));
        WriteResult written = Uninterruptibly.answer(store.write(List.of(Write.create(record))))
                .get(0);
        String tag = written instanceof WriteResult.Applied applied ? applied.tag() : "";
        boolean deleted = written instanceof WriteResult.Applied && delete(store, record.stamp(), tag, key);
        if (deleted) {
            checkup.ok("may list, read, write and delete records");
        } else {
            checkup.fail("a record that was written could not be deleted again: " + written, ExitCodes.CHECK_SAID_NO);
        }
    }

    private static boolean delete(RecordStore store, Stamp stamp, String tag, RecordKey key) {
        Precondition.Stamped unchanged = new Precondition.Stamped(stamp, tag, Optional.empty());
        WriteResult result = Uninterruptibly.answer(store.write(List.of(Write.delete(key, unchanged))))
                .get(0);
        if (result instanceof WriteResult.Failed failed) {
            throw failed.why();
        }
        return result instanceof WriteResult.Applied;
    }

    private void history(RecordStore store) {
        if (store instanceof EventLog log) {
            Uninterruptibly.answer(log.events(EventLog.EventQuery.newest(1)));
            checkup.ok("keeps history, and it can be read");
        } else {
            checkup.warn("this kind of store keeps no history: holdfast history and explain can say little");
        }
    }

    /** Without documents a server still serves locks, so this is no failure; but it must not come as a surprise. */
    private void documents() {
        try (DocumentStore documents = DocumentStores.open(url, Target.PATIENCE)) {
            String name = "doctor/permissions-" + UUID.randomUUID();
            byte[] content = name.getBytes(StandardCharsets.UTF_8);
            documents.write(Change.put(name, Condition.absent(), content, Map.of()));
            boolean same = documents
                    .get(name)
                    .filter(it -> Arrays.equals(it.content(), content))
                    .isPresent();
            documents.write(Change.delete(name, Condition.none()));
            checkup.judge(
                    same,
                    same
                            ? "may list, read, write and delete documents" + kept(documents)
                            : "a document that was written cannot be read again",
                    ": state and guard cannot be relied on here");
        } catch (IllegalArgumentException | StoreException e) {
            checkup.warn("documents cannot be kept beside the locks: " + e.getMessage()
                    + ". A server on this store has no state, no guard and no stored tokens, unless state.store and"
                    + " guard.store name another place. To make what is missing: holdfast schema migrate");
        }
    }

    private static String kept(DocumentStore documents) {
        return documents.maxSize() < SMALL_STATE
                ? " (guard, stored tokens; state does not fit here: set state.store)"
                : " (state, guard, stored tokens)";
    }

    private void settings() {
        EngineConfig engine = EngineConfig.DEFAULT;
        checkup.ok("commands on a store use: lease " + AcquireOptions.DEFAULT_LEASE.toSeconds()
                + " s unless they say otherwise, stale after "
                + engine.staleAfter().toMinutes() + " m without renewal, unused locks forgotten after "
                + engine.retention().toHours() + " h, history after "
                + engine.historyRetention().toDays() + " d");
    }

    /** The lock of the trial is nobody's: it need not stay until its time is over. */
    private static void tidy(RecordStore store, RecordKey key) {
        Uninterruptibly.answer(store.read(key))
                .filter(found -> found.record().isIdle())
                .ifPresent(found -> delete(store, found.record().stamp(), found.tag(), key));
    }
}
