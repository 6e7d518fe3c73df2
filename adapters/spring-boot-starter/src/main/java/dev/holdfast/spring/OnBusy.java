package dev.holdfast.spring;

/** What a call of a method marked {@link WithLock} does when others have the lock. */
public enum OnBusy {
    /** Wait, for {@code holdfast.wait} unless the annotation says how long; then as {@link #FAIL}. */
    WAIT,
    /**
     * Return without running the method: null, an empty {@code Optional}, or a {@code CompletionStage} that is completed with null. A
     * method that returns a primitive value cannot be skipped.
     */
    SKIP,
    /** Throw {@link dev.holdfast.LockBusyException}, which says who has it. */
    FAIL
}
