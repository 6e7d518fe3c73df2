package dev.holdfast;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.spi.EventLog;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of the engine in this process, or of a server. */
final class ServiceClient implements LockClient {
    private final LockService service;
    private final ClientConfig config;
    private final Inspector inspector;
    private final ListenerCalls listener;

    ServiceClient(LockService service, ClientConfig config) {
        this.service = service;
        this.config = config;
        this.inspector = new Inspector(service, config);
        this.listener = new ListenerCalls(config, service.machine().time());
    }

    @Override
    public LockKey key(String name) {
        return LockKey.of(config.namespace(), name);
    }

    // ---- taking

    @Override
    public Lease acquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        return hold(key, options);
    }

    private HeldLease hold(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        AcquireOptions asked = asked(AcquireOptions.DEFAULT_WAIT, options);
        return takeFor(key, asked, asked.wait).orThrow();
    }

    @Override
    public Lease acquireUninterruptibly(LockKey key, Consumer<AcquireOptions> options) {
        return takeUninterruptibly(key, asked(AcquireOptions.DEFAULT_WAIT, options))
                .orThrow();
    }

    @Override
    public Attempt<Lease> tryAcquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        return tryHold(key, options).map(lease -> lease);
    }

    @Override
    public Attempt<Lease> tryAcquireUninterruptibly(LockKey key, Consumer<AcquireOptions> options) {
        return takeUninterruptibly(key, asked(Duration.ZERO, options)).map(lease -> lease);
    }

    private Attempt<HeldLease> takeUninterruptibly(LockKey key, AcquireOptions asked) {
        long start = listener.now();
        AcquireQuestion question = new AcquireQuestion(service, config.owner(), key, asked, asked.wait);
        question.ask(Calling.ASYNC); // a store may give up a call whose thread is interrupted
        try {
            awaited(key, question);
            return held(key, asked, start, Failures.join(question.answer()));
        } catch (RuntimeException e) {
            listener.failed(key, e);
            throw e;
        }
    }

    private void awaited(LockKey key, AcquireQuestion question) {
        try {
            service.machine().awaited(key, question.answer());
        } catch (RuntimeException e) {
            question.cancel();
            throw e;
        }
    }

    Attempt<HeldLease> tryHold(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        AcquireOptions asked = asked(Duration.ZERO, options);
        return takeFor(key, asked, asked.wait);
    }

    Attempt<HeldLease> takeFor(LockKey key, AcquireOptions asked, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before asking for lock " + key);
        }
        long start = listener.now();
        AcquireQuestion question = new AcquireQuestion(service, config.owner(), key, asked, wait);
        question.ask(Calling.BLOCKING);
        try {
            awaited(key, question);
            return held(key, asked, start, question.answer().get());
        } catch (InterruptedException e) {
            question.cancel();
            listener.failed(key, e);
            throw e;
        } catch (ExecutionException e) {
            RuntimeException failure = Failures.rethrown(e);
            listener.failed(key, failure);
            throw failure;
        }
    }

    private Attempt<HeldLease> held(LockKey key, AcquireOptions asked, long start, Attempt<LockService.Grant> answer) {
        Attempt<HeldLease> held = answer.map(grant -> new HeldLease(service, key, grant, asked.renew, listener));
        listener.answered(key, held, start);
        return held;
    }

    @Override
    public CompletableFuture<Attempt<Lease>> acquireAsync(LockKey key, Consumer<AcquireOptions> options) {
        long start = listener.now();
        AcquireOptions asked;
        AcquireQuestion question;
        Executor context = listener.context();
        try {
            asked = asked(Duration.ZERO, options);
            question = new AcquireQuestion(service, config.owner(), key, asked, asked.wait);
            question.ask(Calling.ASYNC);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        AnswerFuture<Attempt<Lease>> told = new AnswerFuture<>(question::cancel);
        Consumer<Attempt<LockService.Grant>> deliver = answer -> {
            Attempt<HeldLease> held = held(key, asked, start, answer);
            if (!told.answer(held.map(lease -> lease)) && held instanceof Attempt.Done<HeldLease> unwanted) {
                unwanted.value().dropUnused();
            }
        };
        Failures.relay(question.answer(), service.machine(), context, deliver, failure -> {
            listener.failed(key, failure);
            told.fail(failure);
        });
        return told;
    }

    @Override
    public Lease acquireAll(Collection<LockKey> keys, Consumer<AcquireOptions> options) throws InterruptedException {
        return new AllOf(this, service.machine().time(), asked(AcquireOptions.DEFAULT_WAIT, options)).take(keys);
    }

    // ---- working

    @Override
    public <T extends @Nullable Object, X extends Exception> T run(
            LockKey key, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException {
        return runUnder(hold(key, options), work).orThrow();
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> Attempt<T> tryRun(
            LockKey key, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException {
        Attempt<HeldLease> taken = tryHold(key, options);
        if (!(taken instanceof Attempt.Done<HeldLease> done)) {
            return taken.map(lease -> {
                throw new IllegalStateException("not reached: no lease to map");
            });
        }
        return runUnder(done.value(), work);
    }

    private static <T extends @Nullable Object, X extends Exception> Attempt<T> runUnder(
            HeldLease taken, Work<T, X> work) throws X {
        try (HeldLease lease = taken) {
            T value = work.run(lease);
            Optional<LostReason> lost = lease.afterWork(Command.Ending.RELEASED);
            return lost.isPresent() ? new Attempt.Lost<>(lease.key(), lost.get()) : new Attempt.Done<>(value);
        }
    }

    @Override
    public <X extends Exception> Once runOnce(
            LockKey key, String generation, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        return new OnceOnly(this, service, key, generation).run(options, task);
    }

    // ---- by lease id alone

    @Override
    public CompletableFuture<Attempt<Holder>> renew(LockKey key, LeaseId leaseId) {
        return renew(key, leaseId, Optional.empty());
    }

    @Override
    public CompletableFuture<Attempt<Holder>> renew(LockKey key, LeaseId leaseId, Duration lease) {
        return renew(key, leaseId, Optional.of(lease));
    }

    private CompletableFuture<Attempt<Holder>> renew(LockKey key, LeaseId leaseId, Optional<Duration> lease) {
        return Failures.relayed(service.renew(key.record(), leaseId, lease), service.machine(), config.context());
    }

    @Override
    public CompletableFuture<Boolean> release(LockKey key, LeaseId leaseId) {
        return Failures.relayed(service.release(key.record(), leaseId), service.machine(), config.context());
    }

    @Override
    public CompletableFuture<Boolean> remember(LockKey key, Note note) {
        return Failures.relayed(service.remember(key.record(), note), service.machine(), config.context());
    }

    // ---- looking

    @Override
    public Inspector inspect() {
        return inspector;
    }

    @Override
    public Subscription watch(Consumer<EventLog.StoredEvent> listener) {
        Executor context = this.listener.context();
        EventFeed.Feed feed = service.watch(event -> context.execute(() -> listener.accept(event)));
        Failures.join(feed.ready());
        return new Subscription() {
            @Override
            public boolean isListening() {
                return feed.isListening();
            }

            @Override
            public boolean isOver() {
                return feed.isOver();
            }

            @Override
            public void close() {
                feed.close();
            }
        };
    }

    // ---- end

    @Override
    public void close() {
        service.close();
    }

    @Override
    public void close(Duration drain) {
        try {
            service.drain(drain);
        } finally {
            service.close();
        }
    }

    private static AcquireOptions asked(Duration wait, Consumer<AcquireOptions> options) {
        AcquireOptions asked = new AcquireOptions(wait);
        Objects.requireNonNull(options, "options").accept(asked);
        return asked;
    }
}
