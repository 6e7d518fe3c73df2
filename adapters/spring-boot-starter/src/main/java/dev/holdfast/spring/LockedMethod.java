package dev.holdfast.spring;

import dev.holdfast.AcquireOptions;
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
 * @param namespace of the lock
 * @param times how long to hold and to wait
 * @param onBusy what to do when the lock is not free in time
 * @param result what the method returns
 * @param interruptOnLoss whether its thread is interrupted when the lease is lost
 */
record LockedMethod(
        Texts texts, String namespace, Times times, OnBusy onBusy, ResultKind result, boolean interruptOnLoss) {

    /**
     * Texts that may differ from call to call.
     *
     * @param name of the lock
     * @param path the part of the lock; empty for the whole
     * @param reason why
     */
    record Texts(TextTemplate name, TextTemplate path, TextTemplate reason) {}

    /**
     * How long.
     *
     * @param lease without a renewal
     * @param wait for the lock; empty for ever
     * @param minHold at least
     */
    record Times(Duration lease, Optional<Duration> wait, Duration minHold) {}

    /** Checks what does not depend on the call. */
    LockedMethod {
        if (texts.name().isFixed() && texts.path().isFixed()) {
            LockKey unused = LockKey.of(namespace, texts.name().text()).at(texts.path().text());
        } else {
            LockKey unused = LockKey.of(namespace, "x");
        }
        if (onBusy == OnBusy.SKIP && !result.canBeSkipped()) {
            throw new IllegalArgumentException(
                    "onBusy = SKIP has nothing to return: the method returns a primitive value. Let it return an Optional or a"
                            + " wrapper type, or take FAIL");
        }
    }

    /** The lock of one call. */
    LockKey key(EvaluationContext context) {
        return LockKey.of(namespace, texts.name().value(context)).at(texts.path().value(context));
    }

    /** How the lock of one call is asked for. */
    Consumer<AcquireOptions> options(EvaluationContext context) {
        String reason = texts.reason().value(context);
        return options -> {
            options.lease(times.lease()).minHold(times.minHold()).reason(reason);
            times.wait().ifPresentOrElse(options::waitUpTo, options::waitForever);
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

    /** What a method returns. */
    enum ResultKind {
        NOTHING(null),
        VALUE(null),
        OPTIONAL(Optional.empty()),
        STAGE(null),
        PRIMITIVE(null);

        private final @Nullable Object empty;

        ResultKind(@Nullable Object empty) {
            this.empty = empty;
        }

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
            return this == STAGE ? CompletableFuture.completedFuture(null) : empty;
        }
    }
}
