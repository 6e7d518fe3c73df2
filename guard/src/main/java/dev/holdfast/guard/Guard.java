package dev.holdfast.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a shared resource only when nobody needs it, and starts it before somebody does.
 *
 * <p>Apps are registered with the databases they use. {@link #stop} says that an app no longer needs its databases: each is
 * stopped as soon as every app that uses it is down, be it now or later, by this process or another. {@link #start} says that an
 * app is about to need them: when it answers {@link GuardOutcome#STARTED}, they run, and are not stopped under it. Both are stored
 * before anything is done, and go on by themselves after a crash.
 *
 * <p>Calls block. They fail with a {@link dev.holdfast.spi.StoreException} if locks or documents cannot be reached; what was
 * stored by then goes on. Safe for any thread, and with any number of guards on the same locks and documents.
 */
public final class Guard implements AutoCloseable {
    /** Where each step is told, a line for each. */
    public static final String LOG_NAME = "dev.holdfast.guard.decisions";

    /** Resources judged at the same time for callers. */
    private static final int CALLS = 64;
    /** Resources that wait for that. */
    private static final int WAITING = 1_000;

    private final Workshop shop;
    private final Registry registry;
    private final Wishes wishes;
    private final Judge judge;
    private final Reconciler reconciler;
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            CALLS, CALLS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), Guard::daemon);

    Guard(Workshop shop) {
        this.shop = shop;
        this.registry = new Registry(shop);
        this.wishes = new Wishes(shop);
        this.judge = new Judge(shop);
        this.reconciler = new Reconciler(shop, judge, registry);
        calls.allowCoreThreadTimeOut(true);
    }

    /** Starts a guard, which at once goes on with what others left unfinished. */
    public static Guard start(GuardParts parts, GuardConfig config) {
        Logger lines = LoggerFactory.getLogger(LOG_NAME);
        Guard guard = new Guard(Workshop.of(parts, config, new DecisionLog(lines::info, config.emojiLog())));
        guard.reconciler.start();
        return guard;
    }

    // ---- the registry

    /**
     * Registers an app, or changes its registration.
     *
     * @throws InvalidAppException naming everything that is wrong with it
     */
    public RegistrationResult register(Registration registration) throws InterruptedException {
        List<String> warnings = registerAll(List.of(registration));
        return new RegistrationResult(app(registration.app()), warnings);
    }

    /** Registers many apps, if nothing is wrong with any of them; returns what is registered, but likely not meant so. */
    public List<String> registerAll(List<Registration> registrations) throws InterruptedException {
        Registry.Registrations registered = registry.register(registrations);
        for (String id : registered.resources()) {
            reconciler.soon(id, Duration.ZERO);
        }
        return registered.warnings();
    }

    /** Forgets an app: it no longer keeps anything from being stopped. False if there was none. */
    public boolean unregister(String app) throws InterruptedException {
        return registry.unregister(app);
    }

    /** All apps, by name. */
    public Collection<App> apps() {
        return shop.files().apps().values().stream()
                .filter(app -> !app.leaving())
                .toList();
    }

    /**
     * A registered app.
     *
     * @throws UnknownAppException if there is none
     */
    public App app(String name) {
        return wishes.known(name).value();
    }

    // ---- looking

    /** Whether an app answers now. The future does not fail. */
    public CompletableFuture<QuickStatus> status(String app) {
        App known = app(app);
        return shop.looks().one(known).thenApply(probed -> QuickStatus.of(app, probed));
    }

    /** All resources, by identifier, as last known. */
    public List<ResourceView> resources() {
        List<ResourceView> views = new ArrayList<>();
        Map<String, App> apps = shop.files().apps();
        Topology.of(apps.values()).units().forEach((id, unit) -> views.add(view(unit)));
        return views;
    }

    /** A resource, as last known; empty if no app uses it. */
    public Optional<ResourceView> resource(String dbIdentifier) {
        return Topology.of(shop.files().apps().values()).unit(dbIdentifier).map(this::view);
    }

    private ResourceView view(Unit unit) {
        return ResourceView.of(unit, shop.files().resource(unit.id()).value(), shop.hands());
    }

    // ---- stopping and starting

    /** What {@link #stop} would decide now; nothing is changed. */
    public GuardAnswer checkStop(String app) throws InterruptedException {
        DryRun dry = new DryRun(shop);
        return answers(app, wishes.unitsOf(app(app)), id -> dry.stop(id, app));
    }

    /** What {@link #start} would decide now; nothing is changed. */
    public GuardAnswer checkStart(String app) throws InterruptedException {
        DryRun dry = new DryRun(shop);
        return answers(app, wishes.unitsOf(app(app)), id -> dry.start(id, app));
    }

    /**
     * Says that an app no longer needs its databases, and stops those nobody needs. It does not stop the app. What cannot be
     * stopped now stays intended, and is stopped later.
     *
     * @throws UnknownAppException if there is none
     */
    public GuardAnswer stop(String app) throws InterruptedException {
        return followed(answers(app, wishes.stop(app), id -> judge.now(id, app, Known.Errand.STOP)));
    }

    /**
     * Says that an app is about to need its databases: that it wanted them stopped is withdrawn, and they are started if they do
     * not run. The app may rely on those that are answered {@link GuardOutcome#STARTED}.
     *
     * @throws UnknownAppException if there is none
     */
    public GuardAnswer start(String app) throws InterruptedException {
        return followed(answers(app, wishes.start(app), id -> judge.now(id, app, Known.Errand.START)));
    }

    private interface Judging {
        GuardDecision of(String id) throws InterruptedException;
    }

    private GuardAnswer answers(String app, List<String> units, Judging judging) throws InterruptedException {
        List<Future<GuardDecision>> futures = new ArrayList<>();
        for (String id : units) {
            Callable<GuardDecision> work = () -> judging.of(id);
            try {
                futures.add(calls.submit(work));
            } catch (RejectedExecutionException e) {
                throw new GuardBusyException("Too many stops and starts are under way, or the guard is closed."
                        + " What was asked is stored and goes on by itself.");
            }
        }
        List<GuardDecision> decisions = new ArrayList<>();
        for (Future<GuardDecision> future : futures) {
            decisions.add(result(future));
        }
        return new GuardAnswer(app, decisions);
    }

    /** What is under way is looked at again without waiting for the interval. */
    private GuardAnswer followed(GuardAnswer answer) {
        for (GuardDecision decision : answer.decisions()) {
            if (decision.outcome() == GuardOutcome.PENDING || decision.outcome() == GuardOutcome.SKIPPED_LOCK) {
                reconciler.soon(decision.dbIdentifier(), shop.config().confirmationPause());
            }
        }
        return answer;
    }

    private static GuardDecision result(Future<GuardDecision> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("the guard was closed meanwhile");
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Judges a resource again now, as the reconciler does; for tests that go step by step. */
    Optional<GuardDecision> reconcile(String id) throws InterruptedException {
        return judge.again(id);
    }

    /** Looks once at everything unfinished, as the reconciler does every interval. */
    void lookAround() throws InterruptedException, ExecutionException {
        reconciler.look();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "guard-call");
        thread.setDaemon(true);
        return thread;
    }

    /** Stops its own work; another guard, or the next start, goes on with what is stored. */
    @Override
    public void close() {
        reconciler.close();
        calls.shutdownNow();
        Ending.await(calls);
    }
}
