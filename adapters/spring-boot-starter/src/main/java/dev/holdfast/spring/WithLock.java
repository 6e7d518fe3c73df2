package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean under a lock. The lock is taken before the method and before its transaction begins, renewed
 * while it runs, and released after its transaction has ended.
 *
 * <pre>{@code
 * @WithLock(name = "sync-project-{#key}", onBusy = OnBusy.SKIP)
 * public void syncProject(String key) { ... }
 * }</pre>
 *
 * <p>Texts may contain expressions of Spring (SpEL) in braces, which see the parameters of the method ({@code {#key}}, {@code {#p0}}), the
 * bean itself ({@code {region}} is its property) and other beans ({@code {@clock.zone}}); and placeholders ({@code ${app.region}}), which
 * are filled in when the application starts. An expression that gives null fails the call.
 *
 * <p>It works when the method is called through its bean, as with {@code @Transactional}: not when the object calls a method of its own.
 * What can be seen to be wrong, such as a private or final method, or a name that cannot be parsed, ends the start of the application.
 *
 * <p>If the lease was lost while the method ran, the call throws {@link dev.holdfast.LeaseLostException}, though the method has run to its
 * end: another may have run at the same time. {@link CurrentLease} has the lease, to look at it before each effect, or to pass on its token.
 *
 * <p>A method that is called under its own lock by the same thread runs under the lease that is there.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface WithLock {
    /** Name of the lock. */
    String name();

    /** The part of the lock, such as {@code project/{#key}}; the whole, unless given. */
    String path() default "";

    /** Namespace of the lock; {@code holdfast.namespace} unless given. */
    String namespace() default "";

    /** How long the lock is kept without a renewal, such as {@code 1m}; {@code holdfast.lease} unless given. */
    String lease() default "";

    /**
     * How long to wait for the lock, such as {@code 5s}, or {@code forever}. Unless given, {@link OnBusy#WAIT} waits for
     * {@code holdfast.wait}, and the others do not wait.
     */
    String waitUpTo() default "";

    /** What to do when the lock was not free in time. */
    OnBusy onBusy() default OnBusy.WAIT;

    /** Keep the lock busy for at least this long after the grant, such as {@code 1m}, even if the method returns sooner. */
    String minHold() default "";

    /** Why you hold the lock, shown to others. */
    String reason() default "";

    /** Interrupt the thread of the method when the lease is lost, so that a method that waits or looks for interrupts stops. */
    boolean interruptOnLoss() default false;
}
