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

/** {@code holdfast bench state}: loading and listing state on the embedded store. */
@Command(
        name = "state",
        description =
                "Loading state on SQLite, and listing 10 000 stacks. Takes a minute. Saving, beside plain files on the"
                        + " same disk: holdfast bench peers --only state.")
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
                load(locks, state);
            } else {
                list(state);
            }
        }
    }

    private void load(LockClient locks, StateManager state) throws InterruptedException {
        Stack stack = new Stack("bench", "prod");
        try (Lease lease = held(locks, state, stack)) {
            state.save(lease, StateFile.document(MEGABYTE, 0, random), BY);
        }
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
}
