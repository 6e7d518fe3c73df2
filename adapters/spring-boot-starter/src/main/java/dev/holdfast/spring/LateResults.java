package dev.holdfast.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.util.ClassUtils;

/**
 * Results of methods whose work is not done when the method returns. A {@link CompletionStage} tells when it is; for the others the lock would
 * be released too early.
 */
final class LateResults {
    /** By name, since most applications have only some of them. */
    private static final Set<String> UNKNOWN_END = Set.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.Flow$Publisher",
            "java.util.concurrent.Future",
            "java.util.stream.BaseStream",
            "kotlinx.coroutines.flow.Flow",
            "org.reactivestreams.Publisher",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String SUSPENDED = "kotlin.coroutines.Continuation";

    private LateResults() {}

    /** Whether a method that returns this type gives a stage that tells when its work is done, and can be replaced. */
    static boolean isStage(Class<?> type) {
        return type == CompletionStage.class || type == CompletableFuture.class;
    }

    /** Why it cannot be known when the work of this method is done; empty if it can. */
    static Optional<String> problem(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(SUSPENDED)) {
            return Optional.of("is a suspending function");
        }
        Class<?> type = method.getReturnType();
        if (isStage(type) || !isOneOf(type)) {
            return Optional.empty();
        }
        return Optional.of("returns " + ClassUtils.getShortName(type) + ", whose work goes on after the method");
    }

    private static boolean isOneOf(Class<?> type) {
        return UNKNOWN_END.contains(type.getName())
                || Arrays.stream(type.getInterfaces()).anyMatch(LateResults::isOneOf)
                || (type.getSuperclass() != null && isOneOf(type.getSuperclass()));
    }
}
