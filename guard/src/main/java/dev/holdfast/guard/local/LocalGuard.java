package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.registry.IntentStore;
import dev.holdfast.guard.registry.Registry;
import dev.holdfast.guard.resource.Topology;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
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
 * A guard that judges and acts in this process, on locks and documents it is given.
 *
 * <p>Calls fail with a {@link StoreException} if documents cannot be reached. A stop or start that is stored by then does not fail: what
 * could not be judged is {@link GuardOutcome#PENDING}, says why, and goes on. Any number of guards may work on the same locks and documents.
 */
public final class LocalGuard implements Guard {
    /** Where each step is told, a line for each. */
    public static final String LOG_NAME = "dev.holdfast.guard.decisions";

    /** Resources judged at the same time for callers. */
    private static final int CALLS = 64;
    /** Resources that wait for that. */
    private static final int WAITING = 1_000;

    static final String CLOSED = "this guard was closed";

    private final GuardContext context;
    private final Registry registry;
    private final IntentStore intents;
    private final Judge judge;
    private final Reconciler reconciler;
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            CALLS, CALLS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), DaemonThreads.named("guard-call"));

    LocalGuard(GuardContext context) {
        this.context = context;
        this.registry = new Registry(context.documents(), context.choice(), context.hosts(), context.lock());
        this.intents = new IntentStore(
                context.documents(), context.clock(), context.config().startingTimeout());
        this.judge = new Judge(context);
        this.reconciler = new Reconciler(context, judge, registry);
        calls.allowCoreThreadTimeOut(true);
    }

    /** Starts a guard, which at once goes on with what others left unfinished. */
    public static LocalGuard start(GuardParts parts, GuardConfig config) {
        Logger lines = LoggerFactory.getLogger(LOG_NAME);
        LocalGuard guard =
                new LocalGuard(GuardContext.of(parts, config, new DecisionLog(lines::info, config.emojiLog())));
        guard.reconciler.start();
        return guard;
    }

    // ---- the registry

    @Override
    public RegistrationResult register(Registration registration) throws InterruptedException {
        List<String> warnings = registerAll(List.of(registration));
        try {
            return new RegistrationResult(app(registration.app()), warnings);
        } catch (StoreException e) {
            throw Registry.afterRegistering(List.of(registration.app()), e);
        }
    }

    @Override
    public List<String> registerAll(List<Registration> registrations) throws InterruptedException {
        Registry.Registrations registered = registry.register(registrations);
        for (String id : registered.resources()) {
            reconciler.soon(id, Duration.ZERO);
        }
        return registered.warnings();
    }

    @Override
    public boolean unregister(String app) throws InterruptedException {
        return registry.unregister(app);
    }

    @Override
    public Collection<App> apps() {
        return context.documents().apps().values().stream()
                .filter(app -> !app.leaving())
                .toList();
    }

    @Override
    public App app(String name) {
        return intents.known(name).value();
    }

    // ---- looking

    @Override
    public CompletableFuture<QuickStatus> status(String app) {
        return context.probes().one(app(app));
    }

    @Override
    public List<ResourceView> resources() {
        Map<String, App> apps = context.documents().apps();
        ResourceViews views = new ResourceViews(context, apps);
        return Topology.of(apps.values()).units().values().stream()
                .map(views::of)
                .toList();
    }

    @Override
    public Optional<ResourceView> resource(String dbIdentifier) {
        Map<String, App> apps = context.documents().apps();
        return Topology.of(apps.values()).unit(dbIdentifier).map(new ResourceViews(context, apps)::of);
    }

    // ---- stopping and starting

    @Override
    public GuardAnswer checkStop(String app) throws InterruptedException {
        return check(app, ResourceFacts.Errand.STOP);
    }

    @Override
    public GuardAnswer checkStart(String app) throws InterruptedException {
        return check(app, ResourceFacts.Errand.START);
    }

    private GuardAnswer check(String app, ResourceFacts.Errand errand) throws InterruptedException {
        DryRun dry = new DryRun(context);
        return answers(app, intents.unitsOf(app(app)), id -> dry.judge(id, app, errand), (id, why) -> {
            throw new GuardBusyException("Nothing was judged: " + why + ". Try again.");
        });
    }

    @Override
    public GuardAnswer stop(String app) throws InterruptedException {
        return wished(app, intents.stop(app), ResourceFacts.Errand.STOP);
    }

    @Override
    public GuardAnswer start(String app) throws InterruptedException {
        return wished(app, intents.start(app), ResourceFacts.Errand.START);
    }

    private GuardAnswer wished(String app, List<String> units, ResourceFacts.Errand errand)
            throws InterruptedException {
        StoredRequest request = new StoredRequest(context, judge, app, errand);
        return followed(answers(app, units, request::judged, request::pending));
    }

    private interface Judging {
        GuardDecision of(String id) throws InterruptedException;
    }

    /** What is told of a resource that is not judged, and why. */
    private interface UnjudgedDecision {
        GuardDecision of(String id, String why);
    }

    private GuardAnswer answers(String app, List<String> units, Judging judging, UnjudgedDecision unjudged)
            throws InterruptedException {
        Map<String, Future<GuardDecision>> futures = new LinkedHashMap<>();
        for (String id : units) {
            Callable<GuardDecision> work = () -> judging.of(id);
            try {
                futures.put(id, calls.submit(work));
            } catch (RejectedExecutionException e) {
                String why = calls.isShutdown() ? CLOSED : "too many stops and starts are in progress";
                futures.put(id, CompletableFuture.completedFuture(unjudged.of(id, why)));
            }
        }
        List<GuardDecision> decisions = new ArrayList<>();
        for (Map.Entry<String, Future<GuardDecision>> one : futures.entrySet()) {
            decisions.add(result(one.getKey(), one.getValue(), unjudged));
        }
        return new GuardAnswer(app, decisions);
    }

    /** What is under way is looked at again without waiting for the interval. */
    private GuardAnswer followed(GuardAnswer answer) {
        for (GuardDecision decision : answer.decisions()) {
            if (decision.outcome() == GuardOutcome.PENDING || decision.outcome() == GuardOutcome.SKIPPED_LOCK) {
                reconciler.soon(decision.dbIdentifier(), context.config().confirmationPause());
            }
        }
        return answer;
    }

    private static GuardDecision result(String id, Future<GuardDecision> future, UnjudgedDecision unjudged)
            throws InterruptedException {
        try {
            return future.get();
        } catch (CancellationException e) {
            return unjudged.of(id, CLOSED); // it waited for a thread when this guard was closed
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof InterruptedException) {
                return unjudged.of(id, CLOSED);
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

    /** Stops its own work; another guard, or the next start, goes on with what is stored. */
    @Override
    public void close() {
        reconciler.close();
        WorkThreads.end(calls);
    }
}
