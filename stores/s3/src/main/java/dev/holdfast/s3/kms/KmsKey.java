package dev.holdfast.s3.kms;

import dev.holdfast.documents.keys.DataKey;
import dev.holdfast.documents.keys.MasterKey;
import dev.holdfast.documents.keys.WrongKeyException;
import dev.holdfast.internal.parts.RecentMap;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A master key in KMS. One request for every write; one for every content that is read, unless the same was read a short while ago.
 */
final class KmsKey implements MasterKey {
    /** Data keys that are remembered: of states that are read again and again. */
    private static final int MAX_REMEMBERED = 200;
    /** How long: whoever takes our right to the key away has to wait for as long. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final String id;
    private final KmsCalls calls;
    private final Map<ByteBuffer, RememberedKey> known = new RecentMap<>(MAX_REMEMBERED);

    KmsKey(String id, KmsCalls calls) {
        this.id = id;
        this.calls = calls;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record RememberedKey(byte[] key, long since) {}

    @Override
    public String id() {
        return id;
    }

    @Override
    public DataKey create() {
        return calls.generateDataKey();
    }

    @Override
    public byte[] unwrap(byte[] wrapped) throws WrongKeyException {
        ByteBuffer name = ByteBuffer.wrap(wrapped);
        Optional<byte[]> remembered = remembered(name);
        if (remembered.isPresent()) {
            return remembered.get();
        }
        byte[] key = calls.decrypt(wrapped);
        synchronized (known) {
            known.put(name, new RememberedKey(key, System.nanoTime()));
        }
        return key;
    }

    private Optional<byte[]> remembered(ByteBuffer name) {
        synchronized (known) {
            RememberedKey found = known.get(name);
            if (found != null && System.nanoTime() - found.since() > REMEMBERED.toNanos()) {
                known.remove(name);
                return Optional.empty();
            }
            return Optional.ofNullable(found).map(RememberedKey::key);
        }
    }

    /** Its id alone. */
    @Override
    public String toString() {
        return id;
    }
}
