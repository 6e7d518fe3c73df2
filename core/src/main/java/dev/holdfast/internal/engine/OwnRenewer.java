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
        Op<RenewResult> op = new Op<>(new Command.Renew(lease.hold().leaseId(), length), deadline);
        CompletableFuture<Renewal> told = op.future.thenApply(answer -> new Renewal(answer.result(), answer.anchor()));
        parts.router().submit(lease.key(), op, Calling.ASYNC);
        return told;
    }

    @Override
    public void giveBack(KeptLease lease) {
        parts.post(lease.key(), new Command.Release(lease.hold().leaseId(), Command.Ending.LOST));
    }
}
