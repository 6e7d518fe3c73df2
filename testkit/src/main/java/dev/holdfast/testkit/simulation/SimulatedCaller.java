package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Somebody who uses locks, and now and then misuses them: a loop of random acts with its expectations. */
final class SimulatedCaller {
    private static final List<String> PATHS = List.of("", "a", "b", "a/x", "a/y", "ab");

    private final World world;
    private final Simulation run;
    private final Node node;
    private final LockEngine engine;
    private final SimulationPlan plan;
    private final Meddler meddler;
    private Optional<Request> finished = Optional.empty();
    private int nights;

    SimulatedCaller(World world, Simulation run, Node node, LockEngine engine, SimulationPlan plan) {
        this.world = world;
        this.run = run;
        this.node = node;
        this.engine = engine;
        this.plan = plan;
        this.meddler = new Meddler(world, run, node, engine);
    }

    void start() {
        pauseThen(0, 300, this::act);
    }

    private void pauseThen(double from, double to, Runnable next) {
        node.plan(world.millis(from, to), next);
    }

    private void act() {
        if (run.isEnding()) {
            return;
        }
        if (run.restOfNight() > 0) {
            node.plan(run.restOfNight() + world.millis(0, 300), this::act);
            return;
        }
        if (nights != run.nights()) {
            nights = run.nights();
            finished = Optional.empty(); // nobody sends that late: what ended is forgotten by now
        }
        double what = world.chance.nextDouble();
        if (what < 0.04 && finished.isPresent()) {
            meddler.lateDuplicate(finished.get(), this::again);
        } else if (what < 0.08) {
            meddler.meddle(key(), this::again);
        } else if (what < 0.12 && plan.forces) {
            meddler.force(key(), this::again);
        } else if (what < 0.2) {
            inSeconds(engine.newLeaseId());
        } else {
            acquire(request());
        }
    }

    private void again() {
        pauseThen(1, world.happens(0.7) ? 100 : 1_500, this::act);
    }

    // ---- taking locks

    private RecordKey key() {
        return new RecordKey("sim", "k" + world.chance.nextInt(plan.keys));
    }

    private Request request() {
        Duration lease = Duration.ofMillis(world.chance.nextInt(200, 4_000));
        Duration minHold = world.happens(0.1) ? Duration.ofMillis(world.chance.nextInt(1, 1_500)) : Duration.ZERO;
        boolean renews = world.happens(0.7);
        Terms terms = new Terms(lease, renews ? Terms.renewal(lease) : Duration.ZERO, minHold, Map.of(), "");
        Duration waits = world.happens(0.4) ? Duration.ZERO : Duration.ofMillis(world.chance.nextInt(10, 6_000));
        Duration keep = !waits.isZero() && world.happens(0.1) ? Duration.ofSeconds(1) : Duration.ZERO;
        return new Request(key(), engine.newLeaseId(), scope(), "caller", terms, waits, keep);
    }

    private Scope scope() {
        if (!plan.hierarchy || world.happens(0.3)) {
            return Scope.WHOLE;
        }
        int kind = world.chance.nextInt(4);
        Mode mode = kind == 0 ? Mode.SHARED : kind == 1 ? Mode.permit(1 + world.chance.nextInt(3)) : Mode.EXCLUSIVE;
        if (world.happens(0.1)) {
            return new Scope(List.of(LockPath.of("a/x"), LockPath.of("b")), mode);
        }
        return Scope.of(LockPath.of(PATHS.get(world.chance.nextInt(PATHS.size()))), mode);
    }

    private void acquire(Request request) {
        long asked = world.now();
        world.trace(() -> "node " + node.index + " asks for " + request.key().name() + " " + request.scope() + " as "
                + request.leaseId() + " waiting " + request.waitFor());
        asked(request, engine.acquire(request, Calling.BLOCKING), asked, false);
    }

    /** As a client does that knows neither lease ids nor renewals from now. */
    private void inSeconds(LeaseId identity) {
        run.checker().countsInSeconds(identity);
        Duration lease = Duration.ofSeconds(world.chance.nextInt(1, 5));
        Terms terms = new Terms(lease, Duration.ZERO, Duration.ZERO, Map.of(), "");
        Request request = new Request(key(), identity, Scope.WHOLE, "caller", terms, Duration.ZERO, Duration.ZERO);
        world.trace(() -> "node " + node.index + " asks for " + request.key().name() + " in seconds as " + identity);
        asked(request, engine.reacquire(request), world.now(), true);
    }

    private void asked(Request request, Acquisition acquisition, long asked, boolean inSeconds) {
        if (world.happens(0.05)) {
            pauseThen(0, 500, () -> {
                if (!acquisition.answer().isDone()) {
                    run.checker().givesUp(request.leaseId());
                    acquisition.cancel();
                }
            });
        }
        run.afterIn(node, acquisition.answer(), (answer, failure) -> {
            world.trace(() -> "node " + node.index + " is told " + (failure == null ? brief(answer) : failure) + " for "
                    + request.leaseId());
            if (answer != null) {
                told(request, answer, asked, inSeconds);
            } else {
                run.checker().givesUp(request.leaseId());
                finished = Optional.of(request);
                makeSure(request);
            }
        });
    }

    /** After an unclear answer a careful caller releases what it may hold, and then relies on not holding it. */
    private void makeSure(Request request) {
        Command.Release unused = new Command.Release(request.leaseId(), Command.Ending.UNUSED);
        run.afterIn(node, engine.release(request.key(), unused, Cause.OWNER), (answer, failure) -> {
            if (answer != null) {
                run.checker().toldReleased(request.key(), request.leaseId(), run.stored(request.key()));
            }
            again();
        });
    }

    private static String brief(Answer<AcquireResult> answer) {
        return answer.result().getClass().getSimpleName();
    }

    private void told(Request request, Answer<AcquireResult> answer, long asked, boolean inSeconds) {
        if (answer.result() instanceof AcquireResult.Granted granted) {
            run.checker().toldDone(request.key(), granted.done(), asked);
            hold(request, granted, answer, inSeconds);
            return;
        }
        if (answer.result() instanceof AcquireResult.Busy busy
                && request.waitFor().isZero()) {
            run.checker().toldBusy(request.key(), busy, asked);
        }
        run.checker().givesUp(request.leaseId());
        finished = Optional.of(request);
        if (answer.result() instanceof AcquireResult.Queued && world.happens(0.7)) {
            pauseThen(0, 800, () -> acquire(request)); // polls again for its place
        } else {
            again();
        }
    }

    private void hold(Request request, AcquireResult.Granted granted, Answer<AcquireResult> answer, boolean inSeconds) {
        boolean renews = !request.terms().renewEvery().isZero();
        Hold hold = inSeconds && isAhead(granted.hold()) ? untilItsEnd(granted.hold()) : granted.hold();
        KeptLease lease = engine.keep(request.key(), hold, answer.anchor(), renews);
        Checker.BelievedLease holder = run.checker().granted(node, lease);
        int[] lost = new int[1];
        lease.onLost(reason -> {
            if (++lost[0] > 1) {
                throw new Violation("lost once", lease.hold().leaseId() + " was told lost twice");
            }
            if (reason == LostReason.RELEASED) {
                throw new Violation("S3", lease.hold().leaseId() + " was released, but not by its holder");
            }
        });
        work(request, holder, world.chance.nextInt(6), inSeconds);
    }

    /** Who is told an end, not a length, believes until that end. */
    private static Hold untilItsEnd(Hold hold) {
        Duration left = Duration.between(hold.renewedAt(), hold.expiresAt());
        return hold.claimed(hold.terms().withLease(left), hold.renewedAt(), hold.expiresAt());
    }

    private void work(Request request, Checker.BelievedLease holder, int left, boolean inSeconds) {
        run.checker().effect(holder);
        if (left > 0 && inSeconds && world.happens(0.3)) {
            extend(request, holder, left - 1);
            return;
        }
        if (!inSeconds && world.happens(0.15)) {
            meddler.renewElsewhere(request.key(), holder.id());
        } else if (!inSeconds && world.happens(0.1)) {
            meddler.askAgain(request);
        }
        if (left > 0) {
            pauseThen(1, 800, () -> work(request, holder, left - 1, inSeconds));
        } else if (world.happens(0.1)) {
            run.checker().forget(holder); // never released: it must end by itself, or with the process
            if (!request.terms().renewEvery().isZero()) {
                release(request, holder, inSeconds);
            } else {
                again();
            }
        } else {
            release(request, holder, inSeconds);
        }
    }

    /** Whether the end that is told makes sense; a clock that was set back since may tell another. */
    private static boolean isAhead(Hold hold) {
        return hold.expiresAt().isAfter(hold.renewedAt().plus(Terms.MIN_LEASE));
    }

    private void extend(Request request, Checker.BelievedLease holder, int left) {
        Duration by = Duration.ofSeconds(world.chance.nextInt(1, 3));
        run.afterIn(node, engine.extend(request.key(), holder.id(), by), (answer, failure) -> {
            Checker.BelievedLease longer = holder;
            if (answer != null && answer.result() instanceof RenewResult.Renewed renewed && isAhead(renewed.hold())) {
                Hold hold = untilItsEnd(renewed.hold());
                KeptLease lease = engine.keep(request.key(), hold, answer.anchor(), false);
                longer = run.checker().believesInstead(holder, lease);
            }
            Checker.BelievedLease now = longer;
            pauseThen(1, 800, () -> work(request, now, left, true));
        });
    }

    private void release(Request request, Checker.BelievedLease holder, boolean inSeconds) {
        boolean believes = holder.isValid();
        run.checker().givesUp(holder.id());
        run.checker().forget(holder);
        finished = inSeconds ? Optional.empty() : Optional.of(request);
        boolean wasForced = run.checker().isForced(holder.id());
        KeptLease lease = holder.lease();
        run.afterIn(node, engine.release(lease, ending(request.key()), Calling.BLOCKING), (answer, failure) -> {
            world.trace(() -> "node " + node.index + " released " + holder.id() + ": "
                    + (failure == null ? answer.result() : failure));
            if (answer != null) {
                run.checker().toldReleased(request.key(), holder.id(), run.stored(request.key()));
            }
            if (answer != null && believes && answer.result() == ReleaseResult.NOT_HELD) {
                run.checker().toldNotHeld(holder.id(), run.stored(request.key()));
            }
            boolean released = answer != null && !wasForced && answer.result() == ReleaseResult.RELEASED;
            if (released && inSeconds && world.happens(0.3)) {
                run.checker().reborn(holder.id()); // the same instance comes again
                pauseThen(1, 300, () -> inSeconds(holder.id()));
                return;
            }
            if (released && !inSeconds && world.happens(0.2)) {
                releaseAgain(request.key(), holder.id());
            }
            again();
        });
    }

    private void releaseAgain(RecordKey key, LeaseId id) {
        run.afterIn(node, engine.release(key, id), (second, ignored) -> {
            if (second != null && second.result() == ReleaseResult.RELEASED) {
                throw new Violation("S6", id + " could be released twice");
            }
        });
    }

    /** Now and then once-only work was done; not where records shall be deleted, which such a mark forbids. */
    private Command.Ending ending(RecordKey key) {
        return !plan.night && key.name().equals("k0") && world.happens(0.15)
                ? Command.Ending.done("generation " + world.chance.nextInt(5))
                : Command.Ending.RELEASED;
    }
}
