package dev.holdfast.guard;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Stops a shared resource only when nobody needs it, and starts it before somebody does: in this process ({@code LocalGuard}), or
 * through a server.
 *
 * <p>Apps are registered with the databases they use. {@link #stop} says that an app no longer needs its databases: each is
 * stopped as soon as every app that uses it is down, be it now or later, by this process or another. {@link #start} says that an
 * app is about to need them: when it answers {@link GuardOutcome#STARTED}, they run, and are not stopped under it. Both are stored
 * before anything is done, and go on by themselves after a crash.
 *
 * <p>Calls block. Safe for any thread. A {@link dev.holdfast.spi.StoreUnavailableException} or {@link GuardBusyException} means that nothing
 * was changed. A change of which that is not certain fails with an {@link dev.holdfast.spi.OutcomeUnknownException}: each may be asked for
 * again. A call that is interrupted may have stored what was asked for.
 */
public interface Guard extends AutoCloseable {
    /**
     * Registers an app, or changes its registration.
     *
     * @throws InvalidAppException naming everything that is wrong with it
     */
    RegistrationResult register(Registration registration) throws InterruptedException;

    /** Registers many apps, if nothing is wrong with any of them; returns warnings: what is registered but probably not intended. */
    List<String> registerAll(List<Registration> registrations) throws InterruptedException;

    /**
     * Forgets an app: it no longer keeps anything from being stopped. False if there was none.
     *
     * @throws dev.holdfast.spi.OutcomeUnknownException if it is gone and it is not known whether this call removed it, or if not even
     *     that is known; the message says which
     */
    boolean unregister(String app) throws InterruptedException;

    /** All apps, by name. */
    Collection<App> apps() throws InterruptedException;

    /**
     * A registered app.
     *
     * @throws UnknownAppException if there is none
     */
    App app(String name) throws InterruptedException;

    /**
     * Whether an app answers now.
     *
     * @throws UnknownAppException if there is none
     */
    CompletableFuture<QuickStatus> status(String app) throws InterruptedException;

    /** All resources, by identifier, as last known. */
    List<ResourceView> resources() throws InterruptedException;

    /** A resource, as last known; empty if no app uses it. */
    Optional<ResourceView> resource(String dbIdentifier) throws InterruptedException;

    /** What {@link #stop} would decide now; nothing is changed. */
    GuardAnswer checkStop(String app) throws InterruptedException;

    /** What {@link #start} would decide now; nothing is changed. */
    GuardAnswer checkStart(String app) throws InterruptedException;

    /**
     * Says that an app no longer needs its databases, and stops those nobody needs. It does not stop the app. What cannot be
     * stopped now stays intended, and is stopped later. Once that is stored, a store that fails is no failure of the call: the database
     * is {@link GuardOutcome#PENDING}, and the reason says what failed.
     *
     * @throws UnknownAppException if there is none
     */
    GuardAnswer stop(String app) throws InterruptedException;

    /**
     * Says that an app is about to need its databases: its own requests to stop them are withdrawn, and they are
     * started if they do not run. The app may rely on those that are answered {@link GuardOutcome#STARTED}. A store that fails is
     * answered as for {@link #stop}.
     *
     * @throws UnknownAppException if there is none
     */
    GuardAnswer start(String app) throws InterruptedException;

    /** Ends this guard's own work; what was requested is stored, and other guards continue it. */
    @Override
    void close();
}
