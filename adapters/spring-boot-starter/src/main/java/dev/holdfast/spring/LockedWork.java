package dev.holdfast.spring;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call of a method under its lock. */
final class LockedWork implements LockClient.Work<Optional<Object>, Exception> {
    private final MethodInvocation call;
    private final boolean interruptOnLoss;
    private final Optional<OuterTransaction> transactions;
    private boolean started;
    private @Nullable UndeclaredThrowableException own;

    LockedWork(MethodInvocation call, boolean interruptOnLoss, Optional<OuterTransaction> transactions) {
        this.call = call;
        this.interruptOnLoss = interruptOnLoss;
        this.transactions = transactions;
    }

    /** Whether the lock was granted and the method called. */
    boolean hasStarted() {
        return started;
    }

    /** Whether this was thrown only because the method threw what is neither an exception nor an error. */
    boolean isOwn(UndeclaredThrowableException e) {
        return e == own;
    }

    @Override
    public Optional<Object> run(Lease lease) throws Exception {
        started = true;
        CurrentLease.ThreadLease held = CurrentLease.hold(lease);
        boolean left = false;
        try {
            left = transactions.map(one -> one.join(lease, held)).orElse(false);
            return Optional.ofNullable(interruptOnLoss ? interruptible(lease) : proceed(lease));
        } finally {
            if (!left) {
                held.end();
            }
        }
    }

    private @Nullable Object proceed(Lease lease) throws Exception {
        try {
            return call.proceed();
        } catch (Exception | Error e) {
            LockedStage.addLoss(e, lease);
            throw e;
        } catch (Throwable e) {
            own = new UndeclaredThrowableException(e);
            throw own;
        }
    }

    private @Nullable Object interruptible(Lease lease) throws Exception {
        Interruption interruption = new Interruption();
        lease.onLost(reason -> interruption.send());
        Object result;
        try {
            result = proceed(lease);
        } catch (Exception e) {
            if (interruption.end()) {
                LeaseLostException lost = new LeaseLostException(lease.key(), LockedStage.reason(lease));
                lost.addSuppressed(e);
                throw lost;
            }
            throw e;
        } finally {
            interruption.end();
        }
        return result;
    }

    /** An interrupt of this thread, which comes while the method runs or not at all. */
    private static final class Interruption {
        private final Thread worker = Thread.currentThread();
        private boolean over;
        private boolean sent;

        synchronized void send() {
            if (!over) {
                sent = true;
                worker.interrupt();
            }
        }

        /** Whether it was sent; none comes any more, and what was not noticed is taken back. */
        synchronized boolean end() {
            if (!over && sent) {
                Thread.interrupted();
            }
            over = true;
            return sent;
        }
    }
}
