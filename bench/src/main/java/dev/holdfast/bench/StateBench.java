package dev.holdfast.bench;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import picocli.CommandLine.Command;

/** {@code holdfast bench state}: state on the embedded store, beside what the disk can do at all. */
@Command(
        name = "state",
        description =
                "Saving and loading state on SQLite, beside plain files on the same disk, and listing 10 000 stacks."
                        + " Takes about two minutes.")
final class StateBench extends Bench {
    private static final int MEGABYTE = 1 << 20;
    private static final int STACKS = 10_000;
    private static final Provenance BY = Provenance.of("bench", "apply");

    private final Random random = new Random(1);

    StateBench() {
        super(8, List.of("document", "stacks"));
    }

    @Override
    void run(String part, Path directory) throws Exception {
        try (LockClient locks = LockClient.on(
                        SqliteStore.open(directory.resolve("locks.db"), SqliteConfig.exclusive("bench")),
                        ClientConfig.DEFAULT);
                DocumentStore documents = DocumentStores.open("sqlite:" + directory.resolve("locks.db"));
                StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT)) {
            if (part.equals("document")) {
                saves(locks, state, directory);
                load(state);
            } else {
                list(state);
            }
        }
    }

    private void saves(LockClient locks, StateManager state, Path directory) throws Exception {
        Stack stack = new Stack("bench", "prod");
        try (Lease lease = held(locks, state, stack)) {
            save(state, lease, MEGABYTE); // the compiler's share
            // In turns, so that both meet the same disk.
            double files = 0;
            double saves = 0;
            long end = System.nanoTime() + 2 * time().toNanos();
            long inFiles = 0;
            long inSaves = 0;
            while (System.nanoTime() < end) {
                byte[] content = StateFile.document(MEGABYTE, (long) saves, random);
                long start = System.nanoTime();
                StateFile.write(directory.resolve("plain.json"), content);
                long between = System.nanoTime();
                state.save(lease, content, BY);
                inSaves += System.nanoTime() - between;
                inFiles += between - start;
                files++;
                saves++;
            }
            double plain = files / (inFiles / 1e9);
            double saved = saves / (inSaves / 1e9);
            report().line("plain file, 1 MB written + fsync", plain, "per second");
            report().line("state saved, 1 MB, with history and fencing", saved, "per second");
            report().ratio("save / plain file", saved / plain, "0.5 or more");
        }
    }

    private void load(StateManager state) {
        Stack stack = new Stack("bench", "prod");
        long count = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < time().toNanos()) {
            count += state.load(stack).map(loaded -> 1).orElse(0);
        }
        report().line(
                        "state loaded and its checksum verified, 1 MB",
                        count / ((System.nanoTime() - start) / 1e9),
                        "per second");
    }

    private void list(StateManager state) {
        for (int i = 0; i < STACKS; i++) {
            Stack stack = new Stack("stack-" + i, "prod");
            if (state.saveUnlocked(stack, StateFile.document(200, i, random), BY) instanceof SaveOutcome.Saved) {
                continue;
            }
            throw new IllegalStateException("stack " + i + " was not saved");
        }
        long start = System.nanoTime();
        int found = 0;
        Optional<String> cursor = Optional.empty();
        do {
            StackPage page = state.list(StateManager.MAX_PAGE, cursor);
            found += page.stacks().size();
            cursor = page.next();
        } while (cursor.isPresent());
        report().line(
                        "listing " + found + " stacks with their locks",
                        (System.nanoTime() - start) / 1e6,
                        "ms (goal under 1 000)");
    }

    private static Lease held(LockClient locks, StateManager state, Stack stack) throws InterruptedException {
        Lease lease = locks.acquire(stack.lock(), o -> {});
        if (state.claim(lease) instanceof ClaimOutcome.Claimed) {
            return lease;
        }
        lease.close();
        throw new IllegalStateException("not claimed");
    }

    private void save(StateManager state, Lease lease, int size) {
        for (int i = 0; i < 20; i++) {
            state.save(lease, StateFile.document(size, i, random), BY);
        }
    }
}
