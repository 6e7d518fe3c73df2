package dev.holdfast.spring;

import dev.holdfast.AcquireOptions;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * What a method marked {@link WithLock} asks for, with everything checked that is known before it is called.
 *
 * @param texts name, path and reason
 * @param namespace of the lock; empty for that of the client
 * @param times how long to hold and to wait
 * @param onBusy what to do when the lock is not free in time
 * @param result what the method returns
 * @param interruptOnLoss whether its thread is interrupted when the lease is lost
 */
record LockedMethod(
        Texts texts,
        Optional<String> namespace,
        Times times,
        OnBusy onBusy,
        ResultKind result,
        boolean interruptOnLoss) {

    /** Texts that may differ from call to call: the lock's name, its part (empty for the whole), and why. */
    record Texts(TextTemplate name, TextTemplate path, TextTemplate reason) {}

    /** How long to hold without a renewal, to wait (empty for ever), and to hold at least. */
    record Times(Duration lease, Optional<Duration> patience, Duration minHold) {}

    /** Checks what does not depend on the call. */
    LockedMethod {
        String place = namespace.orElse(LockKey.DEFAULT_NAMESPACE);
        String name = texts.name().isFixed() ? texts.name().text() : "x";
        String path = texts.path().isFixed() ? texts.path().text() : "x";
        LockKey unused = LockKey.of(place, name).at(path);
        if (onBusy == OnBusy.SKIP && !result.canBeSkipped()) {
            throw new IllegalArgumentException(
                    "onBusy = SKIP has nothing to return: the method returns a primitive value. Let it return an Optional or a"
                            + " wrapper type, or take FAIL");
        }
    }

    /** The lock of one call. */
    LockKey key(LockClient client, EvaluationContext context) {
        String name = texts.name().value(context);
        LockKey whole = namespace.map(place -> LockKey.of(place, name)).orElseGet(() -> client.key(name));
        String path = texts.path().value(context);
        return path.isEmpty() ? whole : whole.at(path);
    }

    /** How the lock of one call is asked for. */
    Consumer<AcquireOptions> options(EvaluationContext context) {
        String reason = texts.reason().value(context);
        return options -> {
            options.lease(times.lease()).minHold(times.minHold()).reason(reason);
            times.patience().ifPresentOrElse(options::waitUpTo, options::waitForever);
        };
    }

    /** What a call returns that was skipped. */
    @Nullable Object skipped() {
        return result.empty();
    }

    /** Whether the work goes on after the method has returned, until its stage is completed. */
    boolean isAsync() {
        return result == ResultKind.STAGE;
    }

    enum ResultKind {
        NOTHING,
        VALUE,
        OPTIONAL,
        STAGE,
        PRIMITIVE;

        static ResultKind of(Method method) {
            Class<?> type = method.getReturnType();
            if (type == void.class) {
                return NOTHING;
            }
            if (type.isPrimitive()) {
                return PRIMITIVE;
            }
            if (type == Optional.class) {
                return OPTIONAL;
            }
            return LateResults.isStage(type) ? STAGE : VALUE;
        }

        boolean canBeSkipped() {
            return this != PRIMITIVE;
        }

        @Nullable Object empty() {
            return switch (this) {
                case OPTIONAL -> Optional.empty();
                case STAGE -> CompletableFuture.completedFuture(null);
                default -> null;
            };
        }
    }
}
