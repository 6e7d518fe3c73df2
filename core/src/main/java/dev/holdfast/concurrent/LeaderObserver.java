package dev.holdfast.concurrent;

import dev.holdfast.Holder;

/** Is notified of who leads: {@link LeaderElection#observe}. Called by one thread at a time; return soon. */
@FunctionalInterface
public interface LeaderObserver {
    /** This one leads now. Called at the beginning, and then when it has changed, or its metadata has; short terms in between may be missed. */
    void leads(Holder leader);

    /** Nobody leads now. Called in the same cases. */
    default void nobodyLeads() {}

    /** The store failed: who leads is not known at the moment. It will be checked again soon. */
    default void failed(RuntimeException failure) {}
}
