package dev.holdfast.spring;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;

/**
 * Calls methods marked {@link WithLock} under their locks. Safe for any thread.
 *
 * @param methods what is known of them
 * @param client asked for at the first call
 * @param beans of the application
 * @param transactions none without Spring's on the class path
 */
record WithLockInterceptor(
        LockedMethods methods, Supplier<LockClient> client, BeanFactory beans, Optional<OuterTransaction> transactions)
        implements MethodInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(WithLock.class);

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object bean = call.getThis();
        Class<?> type = bean == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), type);
        LockedMethod locked = methods.of(method);
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(bean, method, call.getArguments(), TextTemplate.PARAMETER_NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        LockKey key = locked.key(client.get(), context);
        Optional<Lease> held = CurrentLease.covering(key);
        if (held.isPresent()) {
            held.get().ensureValid();
            return call.proceed();
        }
        LockedCall asked = new LockedCall(call, method, locked, key, context);
        return locked.isAsync() ? later(asked) : now(asked);
    }

    /** A call that has come, and the lock it needs. */
    private record LockedCall(
            MethodInvocation call,
            Method method,
            LockedMethod locked,
            LockKey key,
            MethodBasedEvaluationContext context) {

        /** Whoever does not expect to be interrupted gets to know of it in another way. */
        Exception interrupted(InterruptedException e) {
            boolean declared = Arrays.stream(method.getExceptionTypes())
                    .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
            if (declared) {
                return e;
            }
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException(
                    "Interrupted while waiting for lock " + key + "; " + method.getName() + "() was not run");
            cancelled.initCause(e);
            return cancelled;
        }

        void tellSkipped(Attempt.Busy<?> busy) {
            LOG.debug(
                    "{}() is skipped: lock {} is held by {}",
                    method.getName(),
                    key,
                    busy.holders().stream().map(holder -> holder.owner()).toList());
        }
    }

    // ---- work that is done when the method returns

    private @Nullable Object now(LockedCall asked) throws Throwable {
        LockedWork work = new LockedWork(asked.call(), asked.locked().interruptOnLoss(), transactions);
        Attempt<Optional<Object>> attempt;
        try {
            attempt = client.get().tryRun(asked.key(), asked.locked().options(asked.context()), work);
        } catch (InterruptedException e) {
            throw work.hasStarted() ? e : asked.interrupted(e);
        } catch (UndeclaredThrowableException e) {
            throw work.isOwn(e) ? e.getUndeclaredThrowable() : e;
        }
        if (attempt instanceof Attempt.Busy<?> busy && asked.locked().onBusy() == OnBusy.SKIP) {
            asked.tellSkipped(busy);
            return asked.locked().skipped();
        }
        return attempt.orThrow().orElse(null);
    }

    // ---- work that is done when a stage is completed

    private @Nullable Object later(LockedCall asked) throws Throwable {
        Attempt<Lease> attempt;
        try {
            attempt = client.get().tryAcquire(asked.key(), asked.locked().options(asked.context()));
        } catch (InterruptedException e) {
            throw asked.interrupted(e);
        }
        if (attempt instanceof Attempt.Busy<?> busy && asked.locked().onBusy() == OnBusy.SKIP) {
            asked.tellSkipped(busy);
            return asked.locked().skipped();
        }
        Lease lease = attempt.orThrow();
        CurrentLease.ThreadLease held = CurrentLease.hold(lease);
        Object result;
        try {
            result = asked.call().proceed();
        } catch (Throwable e) {
            LockedStage.addLoss(e, lease);
            lease.close();
            throw e;
        } finally {
            held.end();
        }
        if (result instanceof CompletionStage<?> stage) {
            return LockedStage.of(stage, lease);
        }
        if (!lease.release()) { // it returned null
            throw new LeaseLostException(lease.key(), LockedStage.reason(lease));
        }
        return result;
    }
}
