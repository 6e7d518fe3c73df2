package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.Renewer;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.RenewResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Renews through the queues of this engine. */
record OwnRenewer(EngineParts parts) implements Renewer {
    @Override
    public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
        QueuedCommand<RenewResult> queued =
                new QueuedCommand<>(new Command.Renew(lease.hold().leaseId(), length), deadline);
        CompletableFuture<Renewal> told =
                queued.future.thenApply(answer -> new Renewal(answer.result(), answer.anchor()));
        parts.router().submit(lease.key(), queued, Calling.ASYNC);
        return told;
    }

    @Override
    public void giveBack(KeptLease lease) {
        parts.post(lease.key(), new Command.Release(lease.hold().leaseId(), Command.Ending.LOST));
    }
}
