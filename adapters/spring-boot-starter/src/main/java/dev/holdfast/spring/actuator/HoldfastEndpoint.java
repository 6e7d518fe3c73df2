package dev.holdfast.spring.actuator;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.spi.ScanRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/**
 * Locks, as the store has them when it is asked: {@code /actuator/holdfast} shows those that this application holds and waits for, by its
 * owner name, and {@code /actuator/holdfast/NAME} one lock with everybody. A store that fails is an error, never an empty list.
 */
@Endpoint(id = "holdfast")
public class HoldfastEndpoint {
    /** Locks in use that are looked through, of all applications: a page or ten. */
    static final int MAX_PAGES = 10;

    private final LockClient client;
    private final ClientConfig config;

    /** Locks of this client, which has these settings. */
    public HoldfastEndpoint(LockClient client, ClientConfig config) {
        this.client = client;
        this.config = config;
    }

    /**
     * What this application holds and waits for.
     *
     * @param owner who it is
     * @param namespace of locks that it names without one
     * @param holds what it holds
     * @param waits what it waits for
     * @param complete whether all locks in use were looked through; false where there are very many
     */
    public record Own(String owner, String namespace, List<Hold> holds, List<Wait> waits, boolean complete) {}

    /**
     * One lock.
     *
     * @param namespace of the lock
     * @param name of the lock
     * @param holds who holds it
     * @param waits who waits for it, the first in line first
     */
    public record One(String namespace, String name, List<Hold> holds, List<Wait> waits) {}

    /**
     * A hold.
     *
     * @param namespace of the lock
     * @param name of the lock
     * @param paths its parts; empty for the whole
     * @param owner who holds it
     * @param mode how it is shared
     * @param reason why
     * @param token its fencing token
     * @param since when it was granted
     * @param expiresAt when it ends unless renewed; empty if never
     * @param stale whether it was not renewed for suspiciously long
     */
    public record Hold(
            String namespace,
            String name,
            List<String> paths,
            String owner,
            String mode,
            String reason,
            long token,
            String since,
            String expiresAt,
            boolean stale) {

        static Hold of(LockView lock, Holder holder) {
            return new Hold(
                    lock.key().namespace(),
                    lock.key().name(),
                    texts(holder.paths()),
                    holder.owner(),
                    holder.mode().toString(),
                    holder.reason(),
                    holder.token().value(),
                    holder.grantedAt().toString(),
                    holder.expiresAt().map(Instant::toString).orElse(""),
                    holder.stale());
        }
    }

    /**
     * A place in a queue.
     *
     * @param namespace of the lock
     * @param name of the lock
     * @param paths the parts that are wanted; empty for the whole
     * @param owner who waits
     * @param position from 1
     * @param since when it joined
     */
    public record Wait(String namespace, String name, List<String> paths, String owner, int position, String since) {
        static Wait of(LockView lock, LockView.Waiting waiter) {
            return new Wait(
                    lock.key().namespace(),
                    lock.key().name(),
                    texts(waiter.paths()),
                    waiter.owner(),
                    waiter.position(),
                    waiter.since().toString());
        }
    }

    private static List<String> texts(List<LockPath> paths) {
        return paths.stream()
                .filter(path -> !path.isWhole())
                .map(LockPath::value)
                .toList();
    }

    /** What this application holds and waits for. */
    @ReadOperation
    public Own own() {
        List<Hold> holds = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (int page = 0; page < MAX_PAGES; page++) {
            Inspector.Locks found =
                    client.inspect().list(ScanRequest.all().busy().from(next));
            for (LockView lock : found.locks()) {
                lock.holders().stream()
                        .filter(holder -> holder.owner().equals(config.owner()))
                        .forEach(holder -> holds.add(Hold.of(lock, holder)));
                lock.waiters().stream()
                        .filter(waiter -> waiter.owner().equals(config.owner()))
                        .forEach(waiter -> waits.add(Wait.of(lock, waiter)));
            }
            next = found.next();
            if (next.isEmpty()) {
                break;
            }
        }
        return new Own(config.owner(), config.namespace(), holds, waits, next.isEmpty());
    }

    /**
     * One lock, also if nobody holds it.
     *
     * @param name of the lock; what comes after a slash belongs to it
     * @param namespace of the lock; that of the application unless given
     */
    @ReadOperation
    public One one(@Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String namespace) {
        LockKey key = LockKey.of(namespace == null ? config.namespace() : namespace, String.join("/", name));
        LockView lock = client.inspect().get(key);
        return new One(
                key.namespace(),
                key.name(),
                lock.holders().stream().map(holder -> Hold.of(lock, holder)).toList(),
                lock.waiters().stream().map(waiter -> Wait.of(lock, waiter)).toList());
    }
}
