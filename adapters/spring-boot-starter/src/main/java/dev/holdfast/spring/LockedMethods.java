package dev.holdfast.spring;

import dev.holdfast.model.Names;
import dev.holdfast.model.Terms;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/** Reads and checks the methods marked {@link WithLock}. Safe for any thread. */
final class LockedMethods {
    private static final String FOREVER = "forever";

    private final StringValueResolver placeholders;
    private final Supplier<HoldfastProperties> properties;
    private final Map<Method, LockedMethod> known = new ConcurrentHashMap<>();

    /**
     * Methods of an application.
     *
     * @param placeholders fills in <code>${…}</code>
     * @param properties asked for when the first method is found
     */
    LockedMethods(StringValueResolver placeholders, Supplier<HoldfastProperties> properties) {
        this.placeholders = placeholders;
        this.properties = properties;
    }

    /**
     * Checks all marked methods of a class.
     *
     * @param interfacesOnly whether its methods are called through interfaces, and not through a subclass
     * @throws HoldfastStartException telling of each what is wrong
     */
    void check(Class<?> type, boolean interfacesOnly) {
        if (!AnnotationUtils.isCandidateClass(type, WithLock.class)) {
            return;
        }
        StartProblems problems = new StartProblems();
        ReflectionUtils.doWithMethods(
                type,
                method -> problem(method, type, interfacesOnly)
                        .ifPresent(problem -> problems.add(named(method) + " " + problem)),
                method -> !method.isBridge() && !method.isSynthetic() && isMarked(method));
        if (problems.areThere()) {
            throw new HoldfastStartException(
                    problems.after("@WithLock cannot work here"),
                    "Change the method, or take the lock in its body with a LockClient");
        }
    }

    private static boolean isMarked(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, WithLock.class);
    }

    private Optional<String> problem(Method method, Class<?> type, boolean interfacesOnly) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return Optional.of("is private, so calls of it do not come through the bean");
        }
        if (Modifier.isStatic(modifiers)) {
            return Optional.of("is static, so calls of it do not come through the bean");
        }
        if (Modifier.isFinal(modifiers) && !interfacesOnly) {
            return Optional.of("is final, so calls of it do not come through the bean (in Kotlin: make it open)");
        }
        if (Modifier.isFinal(type.getModifiers()) && !interfacesOnly) {
            return Optional.of(
                    "is in a final class, so calls of it do not come through the bean (a record cannot have it;"
                            + " in Kotlin: make the class open)");
        }
        if (interfacesOnly && !isInInterface(method, type)) {
            return Optional.of("is in none of the interfaces of its class, through which alone the bean is called here"
                    + " (spring.aop.proxy-target-class=true makes it callable)");
        }
        Optional<String> late = LateResults.problem(method);
        if (late.isPresent()) {
            return late.map(why -> why + "; return a CompletionStage or CompletableFuture, under which the lock is held"
                    + " until it is completed");
        }
        try {
            LockedMethod unused = of(method);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("has an annotation that is wrong: " + e.getMessage());
        }
    }

    private static boolean isInInterface(Method method, Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(one -> ClassUtils.hasMethod(one, method.getName(), method.getParameterTypes()));
    }

    private static String named(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + "()";
    }

    /** What this method asks for. */
    LockedMethod of(Method method) {
        return known.computeIfAbsent(method, this::read);
    }

    private LockedMethod read(Method method) {
        WithLock marked = AnnotatedElementUtils.findMergedAnnotation(method, WithLock.class);
        if (marked == null) {
            throw new IllegalArgumentException("there is no @WithLock at " + named(method));
        }
        HoldfastProperties defaults = properties.get();
        String namespace = filled(marked.namespace());
        StartProblems wrong = new StartProblems();
        LockedMethod.Texts texts = new LockedMethod.Texts(
                TextTemplate.of(filled(marked.name()), method),
                TextTemplate.of(filled(marked.path()), method),
                TextTemplate.of(filled(marked.reason()), method));
        LockedMethod.Times times = new LockedMethod.Times(
                duration("lease", marked.lease(), Terms.MIN_LEASE, Terms.MAX_LEASE, wrong)
                        .orElse(defaults.lease()),
                wait(marked, defaults, wrong),
                duration("minHold", marked.minHold(), Duration.ZERO, Terms.MAX_LEASE, wrong)
                        .orElse(Duration.ZERO));
        if (texts.reason().isFixed()) {
            String unused = Names.text("reason", texts.reason().text(), 0);
        }
        if (wrong.areThere()) {
            throw new IllegalArgumentException(wrong.toString());
        }
        return new LockedMethod(
                texts,
                namespace.isEmpty() ? Optional.empty() : Optional.of(namespace),
                times,
                marked.onBusy(),
                LockedMethod.ResultKind.of(method),
                marked.interruptOnLoss());
    }

    private Optional<Duration> wait(WithLock marked, HoldfastProperties defaults, StartProblems wrong) {
        if (filled(marked.waitUpTo()).equals(FOREVER)) {
            return Optional.empty();
        }
        return duration("waitUpTo", marked.waitUpTo(), Duration.ZERO, StartProblems.LONGEST_WAIT, wrong)
                .or(() -> Optional.of(marked.onBusy() == OnBusy.WAIT ? defaults.waitTime() : Duration.ZERO));
    }

    private Optional<Duration> duration(String what, String text, Duration least, Duration most, StartProblems wrong) {
        String value = filled(text);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            Duration duration = DurationStyle.detectAndParse(value);
            wrong.within(what, duration, least, most);
            return Optional.of(duration);
        } catch (IllegalArgumentException e) {
            wrong.add(what + " '" + value + "' is not a duration; try 30s or 5m");
            return Optional.empty();
        }
    }

    private String filled(String text) {
        String filled = placeholders.resolveStringValue(text);
        return filled == null ? "" : filled;
    }
}
