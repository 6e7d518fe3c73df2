package dev.holdfast.state;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Does everything with a state of 20 MB, as a process whose heap has room for four copies of it; prints how far it got. */
final class LargeState {
    static final int SIZE = 20_000_000;
    static final String ENCRYPTED = "encrypted";
    private static final Stack SHOP = new Stack("shop", "production");
    private static final Provenance ALICE = Provenance.of("alice", "apply");

    private LargeState() {}

    public static void main(String[] args) throws Exception {
        StateConfig config = args[1].equals(ENCRYPTED)
                ? StateConfig.DEFAULT.withKeys(EncryptedFixture.keys('a'))
                : StateConfig.DEFAULT;
        try (LockClient locks = LockClient.on(MemoryStore.exclusive(), ClientConfig.DEFAULT);
                StateManager state = StateManager.on(locks, new DiskDocuments(Path.of(args[0])), config)) {
            StateVersion first;
            StateVersion second;
            try (Lease lease = locks.acquire(SHOP.lock(), o -> {})) {
                state.claim(lease);
                first = save(state, lease, 1);
                second = save(state, lease, 2);
                say("saved");
            }
            say("loaded " + state.load(SHOP).orElseThrow().content().length);
            say("backed up " + state.backup(SHOP).isPresent());
            say("differs "
                    + state.diff(SHOP, first.version(), second.version())
                            .orElseThrow()
                            .changes()
                            .size());
            say("verified " + state.verify(SHOP).isGood());
            say("restored " + (state.restore(SHOP, first.version(), ALICE) instanceof RestoreOutcome.Restored));
            say("serial " + state.load(SHOP).orElseThrow().version().serial());
            say("deployer " + deployer(state));
        }
    }

    private static StateVersion save(StateManager state, Lease lease, int serial) {
        return ((SaveOutcome.Saved) state.save(lease, terraform(serial), ALICE)).version();
    }

    private static void say(String text) {
        System.out.println(text);
    }

    /** Its own checksums are computed without holding more than one resource. */
    private static boolean deployer(StateManager state) {
        byte[] bytes = new byte[SIZE];
        int at = put(bytes, 0, "{\"format_version\":\"deployer-state-v1\",\"resources\":{");
        String filler = "x".repeat(4_000);
        for (int i = 0; at < SIZE - 10_000; i++) {
            at = put(bytes, at, (i == 0 ? "" : ",") + "\"r" + i + "\":{\"kind\":\"" + filler + "\"}");
        }
        at = put(bytes, at, "},\"checksums\":{\"resources\":\"sha256:" + "0".repeat(64) + "\"}}");
        java.util.Arrays.fill(bytes, at, SIZE, (byte) ' ');
        try {
            state.saveUnlocked(SHOP, bytes, ALICE);
            return false;
        } catch (StateInvalidException e) {
            return true; // the checksum was computed, and is another
        }
    }

    /** A state with thousands of resources, filled up with spaces. */
    static byte[] terraform(int serial) {
        byte[] bytes = new byte[SIZE];
        int at = put(bytes, 0, "{\"version\":4,\"serial\":" + serial + ",\"lineage\":\"l\",\"resources\":[");
        String filler = "x".repeat(4_000);
        for (int i = 0; at < SIZE - 10_000; i++) {
            at = put(
                    bytes,
                    at,
                    (i == 0 ? "" : ",") + "{\"mode\":\"managed\",\"type\":\"t\",\"name\":\"n" + i
                            + "\",\"instances\":[{\"attributes\":{\"v\":" + (i % 100 == 0 ? serial : 0)
                            + ",\"filler\":\""
                            + filler + "\"}}]}");
        }
        at = put(bytes, at, "]}");
        java.util.Arrays.fill(bytes, at, SIZE, (byte) ' ');
        return bytes;
    }

    private static int put(byte[] into, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, into, at, bytes.length);
        return at + bytes.length;
    }
}
