package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Versioned;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lock that is held by LockServiceCentral, as it was read. It may renew, release or acquire it at any time, and knows nothing of
 * stamps: so what it wrote is compared, too, and is left as it is until the hold is over or its holder goes on with us. Ours, those
 * who wait above all, stands beside it.
 *
 * <p>Goes with the record as its {@link Versioned#tag()}.
 *
 * @param central what it wrote
 * @param stamp of what we have written beside it; empty if nothing
 */
record CentralHold(CentralItem central, Optional<Stamp> stamp) {
    private static final String END = "\n";
    private static final int PARTS = 7;

    /** An item that we have never written. */
    static Versioned alone(CentralItem central) {
        CentralHold hold = new CentralHold(central, Optional.empty());
        LockRecord record = new LockRecord(
                LockRecord.FORMAT,
                central.key(),
                hold.hash(),
                central.hold().token(),
                List.of(central.hold()),
                List.of(),
                Map.of(),
                Past.NONE,
                Map.of());
        return new Versioned(record, hold.tag());
    }

    /** An item with this of ours beside it. If it was renewed since we wrote, its end is the new one, and the stamp another. */
    static Versioned beside(LockRecord ours, CentralItem central) {
        CentralHold hold = new CentralHold(central, Optional.of(ours.stamp()));
        LockRecord record = central.isHeldIn(ours)
                ? ours
                : new LockRecord(
                        ours.format(),
                        ours.key(),
                        hold.hash(),
                        ours.fence(),
                        List.of(central.hold()),
                        ours.queue(),
                        ours.alive(),
                        ours.past(),
                        ours.extras());
        return new Versioned(record, hold.tag());
    }

    /** What a write expects of this kind, if it does. */
    static Optional<CentralHold> expectedBy(Precondition precondition) {
        return precondition instanceof Precondition.Stamped stamped
                        && !stamped.tag().isEmpty()
                ? Optional.of(of(stamped.tag()))
                : Optional.empty();
    }

    /** The same, if the record that is to be written leaves the hold as it is. */
    static Optional<CentralHold> leftBy(Precondition precondition, LockRecord record) {
        return expectedBy(precondition).filter(hold -> hold.central.isHeldIn(record));
    }

    /** What is there once this stamp is written beside it. */
    CentralHold under(Stamp written) {
        return new CentralHold(central, Optional.of(written));
    }

    String tag() {
        return String.join(
                END,
                stamp.map(written -> Long.toString(written.value())).orElse(""),
                Long.toString(central.expiry()),
                Long.toString(central.leaseDuration()),
                central.key().namespace(),
                central.key().name(),
                central.instanceId(),
                central.owner());
    }

    private static CentralHold of(String tag) {
        String[] parts = tag.split(END, PARTS);
        CentralItem central = new CentralItem(
                new RecordKey(parts[3], parts[4]),
                parts[6],
                parts[5],
                Long.parseLong(parts[2]),
                Long.parseLong(parts[1]));
        return new CentralHold(
                central, parts[0].isEmpty() ? Optional.empty() : Optional.of(new Stamp(Long.parseLong(parts[0]))));
    }

    /** The same for the same content, and another for any other. */
    private Stamp hash() {
        long hash = 1;
        for (char c : tag().toCharArray()) {
            hash = (hash ^ c) * 0x100000001b3L;
            hash ^= hash >>> 29;
        }
        return new Stamp(hash == 0 ? 1 : hash);
    }
}
