package dev.holdfast.spring.integration;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ClassUtils;

/**
 * Gives locks the interface {@code DistributedLock} of Spring Integration 7. It is not there in 6, which this is compiled with, so that its
 * methods are called by name.
 */
final class DistributedLocks {
    private static final String NAME = "org.springframework.integration.support.locks.DistributedLock";
    private static final Optional<Class<?>> INTERFACE = find();

    private DistributedLocks() {}

    private static Optional<Class<?>> find() {
        ClassLoader loader = DistributedLocks.class.getClassLoader();
        return ClassUtils.isPresent(NAME, loader)
                ? Optional.of(ClassUtils.resolveClassName(NAME, loader))
                : Optional.empty();
    }

    /** The lock itself, or with the interface that is not known here. */
    static Lock of(RegistryLock lock) {
        if (INTERFACE.isEmpty()) {
            return lock;
        }
        ProxyFactory proxy = new ProxyFactory(lock);
        proxy.addInterface(INTERFACE.get());
        proxy.addAdvice((MethodInterceptor) call -> {
            if (isNew(call.getMethod())) {
                return answer(lock, call.getMethod().getName(), call.getArguments());
            }
            return call.proceed();
        });
        return (Lock) proxy.getProxy(DistributedLocks.class.getClassLoader());
    }

    private static boolean isNew(Method method) {
        return method.getDeclaringClass().getName().equals(NAME);
    }

    private static @Nullable Object answer(RegistryLock lock, String method, Object... arguments)
            throws InterruptedException {
        if (method.equals("tryLock")) {
            return lock.tryLock((Duration) arguments[0], (Duration) arguments[1]);
        }
        lock.lock((Duration) arguments[0]);
        return null;
    }
}
