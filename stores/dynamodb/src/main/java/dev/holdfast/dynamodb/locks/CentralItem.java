package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What LockServiceCentral writes about a lock: {@code lockId}, {@code namespace}, {@code lockName} and these. The lock is held
 * until the end of the second {@code expiry}.
 *
 * @param key the lock
 * @param owner whose it is
 * @param instanceId which of its instances holds it
 * @param leaseDuration in seconds; renewals add to it
 * @param expiry the last second in which it is held, since 1970; renewals add to it
 */
record CentralItem(RecordKey key, String owner, String instanceId, long leaseDuration, long expiry) {
    /** The attributes by which it decides: while it holds a lock, nobody else writes them. */
    static final List<String> ATTRIBUTES = List.of("owner", "instanceId", "leaseDuration", LockItem.EXPIRY);

    /** Refuses what no hold can be made of. */
    CentralItem {
        if (expiry < 1 || expiry >= Times.NEVER.getEpochSecond() || leaseDuration < 0) {
            throw new IllegalArgumentException("its 'expiry' is " + expiry + " and its 'leaseDuration' " + leaseDuration
                    + ", which are not a time in seconds and the seconds of a lease");
        }
    }

    /** @throws IllegalArgumentException if the item has not all of it */
    static CentralItem of(Map<String, AttributeValue> item) {
        RecordKey key =
                new RecordKey(ItemAttributes.text(item, LockItem.NAMESPACE), ItemAttributes.text(item, LockItem.NAME));
        if (!ItemAttributes.text(item, LockItem.KEY).equals(key.toString())) {
            throw new IllegalArgumentException("its 'lockId' is not that of lock '" + key.name() + "'");
        }
        CentralItem central = new CentralItem(
                key,
                ItemAttributes.text(item, "owner"),
                ItemAttributes.text(item, "instanceId"),
                ItemAttributes.number(item, "leaseDuration"),
                ItemAttributes.number(item, LockItem.EXPIRY));
        central.hold(); // checks the names
        return central;
    }

    /**
     * Its hold as one of ours. The acquisition is the one that {@code /v1} knows by owner and instance, so that its holder can go on
     * with it there. Its token is the time of its grant: below that of whoever comes after it.
     */
    Hold hold() {
        Instant granted = Instant.ofEpochSecond(Math.max(1, expiry - leaseDuration));
        return new Hold(
                leaseId(),
                Scope.WHOLE,
                owner,
                new Token(Times.micros(granted)),
                granted,
                granted,
                Instant.ofEpochSecond(expiry + 1),
                new Terms(lease(), Duration.ZERO, Duration.ZERO, Map.of(), ""),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    private LeaseId leaseId() {
        try {
            return LeaseId.ofInstance(owner, instanceId);
        } catch (IllegalArgumentException e) {
            // No caller of ours can have such an instance; the lock is held all the same.
            byte[] bytes = instanceId.getBytes(StandardCharsets.UTF_8);
            return LeaseId.ofInstance(owner, UUID.nameUUIDFromBytes(bytes).toString());
        }
    }

    /** Longer than ours may be, it is one without end: that is, one that is never taken for over by watching it. */
    private Duration lease() {
        Duration lease = Duration.ofSeconds(Math.max(1, leaseDuration));
        return lease.compareTo(Terms.MAX_LEASE) > 0 ? Times.FOREVER : lease;
    }

    /** Whether the record still has its hold as it is: neither over, nor given back, nor renewed as one of ours. */
    boolean isHeldIn(LockRecord record) {
        return record.holds().contains(hold());
    }
}
