package dev.holdfast.bench.peers.worker;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.bench.StateFile;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * State of one megabyte saved on SQLite, beside the same bytes written to a plain file and forced to the disk, one after the other so that
 * both meet the same disk. The address is a directory; the words are how many saves warm up, and for how many milliseconds is measured.
 */
record StateSaves(Task task) {
    private static final int MEGABYTE = 1 << 20;
    private static final Provenance BY = Provenance.of("bench", "apply");

    void run() throws Exception {
        Path directory = Path.of(task.address());
        String url = "sqlite:" + directory.resolve("state.db");
        try (LockClient locks = LockClient.connect(url);
                DocumentStore documents = DocumentStores.open(url);
                StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
                Lease lease = locks.acquire(new Stack("bench", "prod").lock(), o -> {})) {
            if (!(state.claim(lease) instanceof ClaimOutcome.Claimed)) {
                throw new IllegalStateException("the stack was not claimed");
            }
            for (int i = 0; i < task.number(0); i++) {
                save(state, lease, document(i));
            }
            measure(state, lease, directory.resolve("plain.json"));
        }
    }

    private void measure(StateManager state, Lease lease, Path plain) throws IOException {
        long inFiles = 0;
        long inSaves = 0;
        int count = 0;
        long end = System.nanoTime() + task.number(1) * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            byte[] content = document(1000 + count);
            long start = System.nanoTime();
            StateFile.write(plain, content);
            long between = System.nanoTime();
            save(state, lease, content);
            inSaves += System.nanoTime() - between;
            inFiles += between - start;
            count++;
        }
        Figures.of("plain file + fsync, 1 MB", Figures.RATE, count / (inFiles / 1e9))
                .print();
        Figures.of("state saved, 1 MB", Figures.RATE, count / (inSaves / 1e9)).print();
    }

    private static void save(StateManager state, Lease lease, byte[] content) {
        if (!(state.save(lease, content, BY) instanceof SaveOutcome.Saved)) {
            throw new IllegalStateException("state was not saved");
        }
    }

    private static byte[] document(long serial) {
        return StateFile.document(MEGABYTE, serial, new Random(serial));
    }
}
