/**
 * Locks in applications of Spring Boot, 3.5 and 4. {@link dev.holdfast.spring.HoldfastAutoConfiguration} makes the {@code LockClient};
 * {@link dev.holdfast.spring.WithLock} runs methods under locks.
 *
 * <pre>
 *   start   WithLockPostProcessor ──► LockedMethods: reads and checks what is marked, LockedMethod, TextTemplate
 *   call    WithLockInterceptor ──► LockedWork, or LockedStage where the method returns a stage
 *   end     LockClientShutdown
 * </pre>
 *
 * <p>Nothing about locks is decided here. What Spring Boot 3 and 4 have in different places is known only by name, or is in a class of its own
 * that the other one never loads.
 */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
