package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.Renewer;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Account;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Renews through the queues of this engine. */
record OwnRenewer(EngineParts parts) implements Renewer {
    @Override
    public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
        Command.Renew ask = new Command.Renew(lease.hold().leaseId(), length, Account.NONE, lease.started());
        Op<RenewResult> op = new Op<>(ask, deadline);
        CompletableFuture<Renewal> told = op.future.thenApply(answer -> new Renewal(answer.result(), answer.anchor()));
        parts.router().submit(lease.key(), op, Calling.ASYNC);
        return told;
    }

    @Override
    public void giveBack(KeptLease lease) {
        parts.post(lease.key(), lease.release(Command.Ending.LOST));
    }
}
