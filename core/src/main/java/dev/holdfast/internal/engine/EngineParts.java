package dev.holdfast.internal.engine;

import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.engine.machine.WriteBatcher;
import dev.holdfast.internal.engine.machine.WriteHealth;
import dev.holdfast.internal.parts.Leftovers;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every part of an engine shares.
 *
 * @param id this engine, from its start to its end
 * @param store where records live
 * @param traits the store's traits, asked once
 * @param rules the rules of locking
 * @param judgement the engine's own safety decisions
 * @param machine time, timers, threads, randomness
 * @param config limits and habits
 * @param writes writes of commands
 * @param renewals writes that only renew, so that a crowd of commands never delays them
 * @param meter told what is done
 * @param happened told of events once they are stored
 * @param router finds the queue of a lock, also when the one at hand was retired
 * @param leftovers what is still to be given up for callers who went away
 */
record EngineParts(
        EngineId id,
        RecordStore store,
        StoreTraits traits,
        LockRules rules,
        Judgement judgement,
        Machine machine,
        EngineConfig config,
        WriteBatcher writes,
        WriteBatcher renewals,
        EngineMeter meter,
        Consumer<List<LockEvent>> happened,
        Router router,
        Leftovers leftovers) {

    private static final Logger LOG = LoggerFactory.getLogger(LockEngine.class);

    /** What somebody outside chose of the parts. */
    record Setup(
            RecordStore store,
            Machine machine,
            EngineConfig config,
            LockRules rules,
            Judgement judgement,
            EngineMeter meter) {}

    static EngineParts of(Setup setup, WriteHealth health, Consumer<List<LockEvent>> happened, Router router) {
        RecordStore store = setup.store();
        Machine machine = setup.machine();
        EngineMeter meter = setup.meter();
        StoreTraits traits = store.traits();
        // Renewals have a connection of their own, and are gathered: a late one loses a lock.
        int renewers = traits.blocking() ? 1 : traits.writers();
        return new EngineParts(
                new EngineId(LeaseId.ofBits(machine.random(), machine.random())
                        .value()
                        .substring(0, 24)),
                store,
                traits,
                setup.rules(),
                setup.judgement(),
                machine,
                setup.config(),
                new WriteBatcher(store, machine, meter, health, traits.writers(), traits.singles()),
                new WriteBatcher(store, machine, meter, health, renewers, renewers),
                meter,
                happened,
                router,
                new Leftovers());
    }

    /** Brings a command to the queue of its lock. */
    interface Router {
        void submit(RecordKey key, QueuedCommand<?> queued, Calling calling);
    }

    /** Sends a command nobody waits for with a thread; failures of the store are retried for as long as usual. */
    <R> CompletableFuture<Answer<R>> send(RecordKey key, Command<R> command) {
        QueuedCommand<R> queued = new QueuedCommand<>(command, deadline());
        router.submit(key, queued, Calling.ASYNC);
        return queued.future;
    }

    /** Gives up something nobody waits for: if the command never arrives, time does the same a little later. */
    void post(RecordKey key, Command<?> command) {
        var unused = giveUp(key, command);
    }

    /** The same, and when that has ended. */
    CompletableFuture<Void> giveUp(RecordKey key, Command<?> command) {
        return leftovers.giveUp(() -> {
            CompletableFuture<?> sent = send(key, command);
            Stages.then(sent, (answer, failure) -> {
                if (failure != null) {
                    LOG.info("Could not clean up lock {}; it ends by itself: {}", key, failure.getMessage());
                }
            });
            return sent;
        });
    }

    /** Until when a command that comes now is retried. */
    long deadline() {
        return machine.time().nanos() + config.operationTimeout().toNanos();
    }

    /** What is told when an answer does not come in time. */
    StoreUnavailableException late() {
        return new StoreUnavailableException(
                "The " + traits.name() + " store did not answer within "
                        + config.operationTimeout().toMillis() + " ms",
                null);
    }

    /** What is told to those who ask after the end, or still wait then. */
    ClientClosedException closedException() {
        return new ClientClosedException("on the " + traits.name() + " store");
    }

    /** Calls the store and tells the meter how long it took. */
    <T> CompletionStage<T> measured(EngineMeter.Operation operation, int rows, Supplier<CompletionStage<T>> call) {
        return Stages.measured(meter, operation, rows, call);
    }

    Stamp newStamp() {
        long bits = machine.random();
        return new Stamp(bits == 0 ? 1 : bits);
    }

    /** Runs what may call the store: on this thread if it may block or the store never does. */
    void io(Calling calling, Runnable call) {
        if (calling == Calling.BLOCKING || !traits.blocking()) {
            call.run();
        } else {
            machine.run(call);
        }
    }
}
