package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Owners inside a server who hold locks and wait for them, for as long as a test takes. */
record QueuedOwners(LockEngine engine) {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Takes a part of a lock, or joins the queue for it; the lease, when one of the two is so. */
    LeaseId ask(String namespace, String name, String path, Mode mode, String owner) {
        return ask(namespace, name, Scope.of(LockPath.of(path), mode), owner);
    }

    LeaseId ask(String namespace, String name, String owner) {
        return ask(namespace, name, Scope.WHOLE, owner);
    }

    LeaseId ask(String namespace, String name, Scope scope, String owner) {
        RecordKey key = new RecordKey(namespace, name);
        LeaseId lease = engine.newLeaseId();
        CompletableFuture<AcquireResult> answer = engine.acquire(
                        new Request(key, lease, scope, owner, Terms.of(LONG), LONG, Duration.ZERO))
                .answer()
                .thenApply(it -> it.result())
                .toCompletableFuture();
        Instant patience = Instant.now().plusSeconds(10);
        while (!answer.isDone()
                && record(key).queue().stream().noneMatch(it -> it.leaseId().equals(lease))) {
            assertThat(Instant.now())
                    .as("%s is neither granted nor queued", owner)
                    .isBefore(patience);
        }
        return lease;
    }

    boolean holds(String namespace, String name, LeaseId lease) {
        return record(new RecordKey(namespace, name)).holds().stream()
                .anyMatch(hold -> hold.leaseId().equals(lease));
    }

    void release(String namespace, String name, LeaseId lease) {
        engine.release(new RecordKey(namespace, name), lease)
                .toCompletableFuture()
                .join();
    }

    private LockRecord record(RecordKey key) {
        return engine.read(key).toCompletableFuture().join().orElseGet(() -> LockRecord.empty(key));
    }
}
