package dev.holdfast.testkit.simulation;

import dev.holdfast.engine.Acquisition;
import dev.holdfast.engine.Answer;
import dev.holdfast.engine.KeptLease;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.Request;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.ReleaseResult;
import dev.holdfast.rules.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Somebody who uses locks, and now and then misuses them: a loop of random acts with its expectations. */
final class Caller {
    private static final List<String> PATHS = List.of("", "a", "b", "a/x", "a/y", "ab");

    private final World world;
    private final Simulation run;
    private final Node node;
    private final LockEngine engine;
    private final Plan plan;
    private Optional<Request> finished = Optional.empty();

    Caller(World world, Simulation run, Node node, LockEngine engine, Plan plan) {
        this.world = world;
        this.run = run;
        this.node = node;
        this.engine = engine;
        this.plan = plan;
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
        double what = world.chance.nextDouble();
        if (what < 0.04 && finished.isPresent()) {
            lateDuplicate(finished.get());
        } else if (what < 0.08) {
            meddle();
        } else if (what < 0.12 && plan.forces()) {
            force();
        } else {
            acquire(request());
        }
    }

    private void again() {
        pauseThen(1, world.happens(0.7) ? 100 : 1_500, this::act);
    }

    // ---- taking locks

    private RecordKey key() {
        return new RecordKey("sim", "k" + world.chance.nextInt(plan.keys()));
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
        if (!plan.hierarchy() || world.happens(0.3)) {
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
        Acquisition acquisition = engine.acquire(request, true);
        if (world.happens(0.05)) {
            pauseThen(0, 500, () -> {
                if (!acquisition.answer().isDone()) {
                    run.checker().givesUp(request.leaseId());
                    acquisition.cancel();
                }
            });
        }
        after(acquisition.answer(), (answer, failure) -> {
            world.trace(() -> "node " + node.index + " is told " + (failure == null ? brief(answer) : failure) + " for "
                    + request.leaseId());
            if (answer != null) {
                told(request, answer, asked);
            } else {
                run.checker().givesUp(request.leaseId());
                finished = Optional.of(request);
                makeSure(request);
            }
        });
    }

    /** After an unclear answer a careful caller releases what it may hold, and then relies on not holding it. */
    private void makeSure(Request request) {
        after(engine.release(request.key(), request.leaseId()), (answer, failure) -> {
            if (answer != null) {
                run.checker().toldReleased(request.key(), request.leaseId(), run.stored(request.key()));
            }
            again();
        });
    }

    private static String brief(Answer<AcquireResult> answer) {
        return answer.result().getClass().getSimpleName();
    }

    private void told(Request request, Answer<AcquireResult> answer, long asked) {
        if (answer.result() instanceof AcquireResult.Granted granted) {
            hold(request, granted, answer);
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

    private void hold(Request request, AcquireResult.Granted granted, Answer<AcquireResult> answer) {
        boolean renews = !request.terms().renewEvery().isZero();
        KeptLease lease = engine.keep(request.key(), granted.hold(), answer.anchor(), renews);
        Checker.Believed holder = run.checker().granted(node, lease);
        int[] lost = new int[1];
        lease.onLost(reason -> {
            if (++lost[0] > 1) {
                throw new Violation("lost once", lease.hold().leaseId() + " was told lost twice");
            }
            if (reason == LostReason.RELEASED) {
                throw new Violation("S3", lease.hold().leaseId() + " was released, but not by its holder");
            }
        });
        work(request, holder, world.chance.nextInt(6));
    }

    private void work(Request request, Checker.Believed holder, int left) {
        run.checker().effect(holder);
        if (left > 0) {
            pauseThen(1, 800, () -> work(request, holder, left - 1));
        } else if (world.happens(0.1)) {
            run.checker().forget(holder); // never released: it must end by itself, or with the process
            if (!request.terms().renewEvery().isZero()) {
                release(request, holder);
            } else {
                again();
            }
        } else {
            release(request, holder);
        }
    }

    private void release(Request request, Checker.Believed holder) {
        run.checker().givesUp(holder.id());
        run.checker().forget(holder);
        finished = Optional.of(request);
        boolean wasForced = run.checker().isForced(holder.id());
        after(engine.release(holder.lease, Command.Ending.RELEASED, true), (answer, failure) -> {
            world.trace(() -> "node " + node.index + " released " + holder.id() + ": "
                    + (failure == null ? answer.result() : failure));
            if (answer != null) {
                run.checker().toldReleased(request.key(), holder.id(), run.stored(request.key()));
            }
            if (answer != null && !wasForced && answer.result() == ReleaseResult.RELEASED && world.happens(0.2)) {
                after(engine.release(request.key(), holder.id()), (second, ignored) -> {
                    if (second != null && second.result() == ReleaseResult.RELEASED) {
                        throw new Violation("S6", holder.id() + " could be released twice");
                    }
                });
            }
            again();
        });
    }

    // ---- misuse

    /** The network delivers an old acquire once more, here or at another process. */
    private void lateDuplicate(Request request) {
        LockEngine other = run.anyEngine();
        Request late = new Request(
                request.key(),
                request.leaseId(),
                request.scope(),
                request.owner(),
                request.terms(),
                Duration.ZERO,
                Duration.ZERO);
        run.checker().askedAgain(late.leaseId());
        after(other.acquire(late, true).answer(), (answer, failure) -> {
            if (answer != null && answer.result() instanceof AcquireResult.Granted) {
                world.trace(() -> "late duplicate of " + late.leaseId() + " granted");
            }
            again();
        });
    }

    /** Renews and releases what it does not hold. */
    private void meddle() {
        LeaseId wrong = engine.newLeaseId();
        RecordKey key = key();
        after(engine.release(key, wrong), (answer, failure) -> {
            if (answer != null && answer.result() == ReleaseResult.RELEASED) {
                throw new Violation("S3", "a stranger's release of " + key + " was accepted");
            }
        });
        after(engine.renew(key, wrong, Optional.empty()), (answer, failure) -> {
            if (answer != null && answer.result() instanceof RenewResult.Renewed) {
                throw new Violation("S3", "a stranger's renewal of " + key + " was accepted");
            }
            again();
        });
    }

    /** An operator looks, thinks, and forces what it saw. */
    private void force() {
        RecordKey key = key();
        after(engine.read(key), (record, failure) -> {
            Optional<Hold> seen = record == null
                    ? Optional.empty()
                    : record.flatMap(r -> r.holds().stream().findFirst());
            if (seen.isEmpty()) {
                again();
                return;
            }
            pauseThen(1, 2_000, () -> force(key, seen.get()));
        });
    }

    private void force(RecordKey key, Hold seen) {
        run.checker().forcing(seen.leaseId());
        world.trace(() -> "force of " + seen.leaseId() + " on " + key.name());
        after(engine.force(key, seen.token(), "operator", "stuck"), (answer, failure) -> again());
    }

    private <T> void after(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> next) {
        int life = node.life();
        run.after(stage, (value, failure) -> {
            if (life == node.life()) {
                next.accept(value, failure);
            }
        });
    }
}
