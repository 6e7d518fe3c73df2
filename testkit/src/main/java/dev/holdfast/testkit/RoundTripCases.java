package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.fixture.RandomRecords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written is what is read, under whatever name, by whomever, however many write at once. */
abstract class RoundTripCases extends StoreCases {
    private static final int RECORDS = 200;

    @Test
    @DisplayName("every field of a record comes back as it was written")
    void everyFieldComesBack() {
        for (int i = 0; i < RECORDS; i++) {
            LockRecord record = random.record(new RecordKey("default", "random-" + i));
            put(record);
            assertThat(read(record.key()).map(Versioned::record))
                    .as("seed 42, record %d", i)
                    .contains(record);
        }
    }

    @Test
    @DisplayName("every field of a record that replaces another comes back as it was written")
    void everyFieldIsReplaced() {
        Versioned there = put(random.record(KEY));
        for (int i = 0; i < RECORDS; i++) {
            LockRecord next = random.record(KEY);
            assertApplied(write(stamped(there, next)));
            there = read(KEY).orElseThrow();
            assertThat(there.record()).as("seed 42, record %d", i).isEqualTo(next);
        }
    }

    @Test
    @DisplayName("a record with very many holders comes back whole")
    void crowdedRecord() {
        LockRecord crowded = random.crowded(KEY, 500);
        put(crowded);
        assertStored(crowded);
    }

    @Test
    @DisplayName("another client reads what this one wrote, and writes on")
    void secondClientSeesIt() {
        LockRecord record = random.record(KEY);
        put(record);
        try (RecordStore second = fixture().open()) {
            Versioned seen = Await.get(second.read(KEY)).orElseThrow();
            assertThat(seen.record()).isEqualTo(record);
            LockRecord next = random.record(KEY);
            assertApplied(write(second, stamped(seen, next)));
            assertStored(next);
        }
    }

    @Test
    @DisplayName("every legal name names its own record: quotes, wildcards, spaces, case, emoji, the longest")
    void oddNames() {
        List<String> names = List.of(
                "it's",
                "say \"so\"",
                "100%",
                "under_score",
                "back\\slash",
                "😀🔒",
                "e\u0301",
                "é",
                "Case",
                "case",
                "CASE",
                "trailing",
                "trailing ",
                "trailing  ",
                " trailing",
                "a/b",
                "a:b",
                "a;b--",
                "null",
                "?",
                "*",
                "[a]",
                "{}",
                "\u00a0",
                "ß",
                "ss",
                "x".repeat(Names.MAX_NAME),
                "x".repeat(Names.MAX_NAME - 1),
                "日".repeat(Names.MAX_NAME));
        List<LockRecord> records = new ArrayList<>();
        for (String name : names) {
            LockRecord record = random.busy(new RecordKey("default", name), 5);
            assertThat(read(record.key())).as("before '%s' was written", name).isEmpty();
            put(record);
            records.add(record);
        }
        records.forEach(this::assertStored);
    }

    @Test
    @DisplayName("a name means another record in another namespace, and namespaces keep their case")
    void namespacesAreApart() {
        List<LockRecord> records = new ArrayList<>();
        for (String namespace : List.of("a", "A", "a.b", "a-b", "a_b", "n".repeat(Names.MAX_NAMESPACE))) {
            LockRecord record = random.busy(new RecordKey(namespace, "same"), 5);
            put(record);
            records.add(record);
        }
        records.forEach(this::assertStored);
    }

    @Test
    @DisplayName("many threads of two clients: exactly one writer wins each stamp, and no update is lost")
    void compareAndSetUnderRace() {
        int threads = 4;
        int wins = 25;
        put(random.idle(KEY, 0));
        Set<Long> fences = new HashSet<>();
        AtomicInteger refused = new AtomicInteger();
        try (RecordStore second = fixture().open()) {
            List<CompletableFuture<Object>> writers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                RecordStore mine = i % 2 == 0 ? store() : second;
                RandomRecords own = new RandomRecords(100 + i);
                writers.add(Await.onThread(Executors.callable(() -> raise(mine, own, wins, fences, refused))));
            }
            writers.forEach(Await::get);
        }
        assertThat(fences).hasSize(threads * wins);
        assertThat(read(KEY).orElseThrow().record().fence().value()).isEqualTo((long) threads * wins);
    }

    /** Raises the fence by one, so often. */
    private static void raise(RecordStore store, RandomRecords own, int wins, Set<Long> fences, AtomicInteger refused) {
        Versioned seen = Await.get(store.read(KEY)).orElseThrow();
        int won = 0;
        while (won < wins) {
            long fence = seen.record().fence().value() + 1;
            LockRecord next = own.idle(KEY, fence);
            WriteResult result = write(store, stamped(seen, next));
            if (result instanceof WriteResult.Refused told) {
                refused.incrementAndGet();
                seen = told.current().orElseThrow();
                continue;
            }
            won++;
            synchronized (fences) {
                assertThat(fences.add(fence))
                        .as("fence %d was given out once", fence)
                        .isTrue();
            }
            seen = Await.get(store.read(KEY)).orElseThrow();
        }
    }

    @Test
    @DisplayName("many threads insert the same record: exactly one does, the others are told it")
    void insertUnderRace() {
        for (int round = 0; round < 10; round++) {
            RecordKey key = new RecordKey("default", "race-" + round);
            List<CompletableFuture<WriteResult>> writers = new ArrayList<>();
            List<LockRecord> records = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                LockRecord record = random.busy(key, i);
                records.add(record);
                Write write = absent(record);
                writers.add(Await.onThread(() -> write(store(), write)));
            }
            List<WriteResult> results = writers.stream().map(Await::get).toList();
            assertThat(results)
                    .filteredOn(r -> r instanceof WriteResult.Applied)
                    .hasSize(1);
            int winner = 0;
            while (!(results.get(winner) instanceof WriteResult.Applied)) {
                winner++;
            }
            LockRecord won = records.get(winner);
            assertStored(won);
            results.stream()
                    .filter(r -> !(r instanceof WriteResult.Applied))
                    .forEach(r -> assertRefused(r, Optional.of(won)));
        }
    }
}
