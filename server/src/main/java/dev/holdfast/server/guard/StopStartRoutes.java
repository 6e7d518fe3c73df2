package dev.holdfast.server.guard;

import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.server.observe.tracing.Span;
import dev.holdfast.spi.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Stops and starts for callers. What takes long goes on without them.
 *
 * @param acting threads for stops and starts, which may all be taken
 * @param looking threads for how far they came
 */
record StopStartRoutes(GuardService service, Blocking acting, Blocking looking, AuditTrail trail) {
    private static final String STOP = "stop";
    private static final String START = "start";

    CompletableFuture<Reply> stop(Call call) {
        return run(call, EventType.GUARD_STOP, Guard::stop, Guard::checkStop);
    }

    CompletableFuture<Reply> start(Call call) {
        return run(call, EventType.GUARD_START, Guard::start, Guard::checkStart);
    }

    private interface GuardCall {
        GuardAnswer of(Guard guard, String app) throws InterruptedException;
    }

    private CompletableFuture<Reply> run(Call call, EventType type, GuardCall real, GuardCall dry) {
        String what = type == EventType.GUARD_STOP ? STOP : START;
        call.query().check();
        JsonFields fields = call.optionalFields();
        boolean dryRun = fields.truth("dry_run");
        fields.check();
        String app = call.name("app");
        call.require(Role.GUARD, GuardRoutes.NAMESPACE, app);
        Span span = call.span().child("guard." + what, LockKey.of(GuardRoutes.NAMESPACE, "APP#" + shown(app)));
        AuditedCaller caller = call.caller();
        CompletableFuture<GuardAnswer> answer = acting.run(call, GuardRoutes.done(service, configured -> {
            Guard guard = configured.able(app);
            if (dryRun) {
                return dry.of(guard, app);
            }
            // Before it is done: what comes of it is told by each decision, also if this server does not live to see
            // it.
            trail.changed(type, GuardRoutes.key(app), caller, Map.of("app", app));
            return real.of(guard, app);
        }));
        StageContinuation.then(
                answer, (done, failure) -> span.end(done == null ? "failed" : outcomes(done), failure != null));
        return inTime(answer, app, what, dryRun).thenApply(done -> Reply.ok(AnswerJson.write(done, dryRun)));
    }

    private static String shown(String app) {
        return app.matches("[\\x21-\\x7e]{1,64}") ? app : "?"; // as it was sent: it may be no name at all
    }

    private static String outcomes(GuardAnswer answer) {
        return answer.decisions().stream()
                .map(decision -> decision.outcome().label())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }

    // ---- what takes long

    private CompletableFuture<GuardAnswer> inTime(
            CompletableFuture<GuardAnswer> answer, String app, String what, boolean dryRun) {
        CompletableFuture<Optional<GuardAnswer>> waited = answer.thenApply(Optional::of)
                .completeOnTimeout(
                        Optional.empty(), service.options().answerWithin().toMillis(), TimeUnit.MILLISECONDS);
        return waited.thenCompose(done -> done.isPresent() || dryRun ? answer : underWay(app, what));
    }

    private CompletableFuture<GuardAnswer> underWay(String app, String what) {
        try {
            return looking.run(GuardRoutes.answered(() -> pending(app, what)));
        } catch (Problem.Refused e) { // says that nothing was changed, which is not meant of the stop or start
            throw unknown(app, what, "the server has too much to do to look");
        }
    }

    /** What is told of a stop or start that is not done yet, if everything it needs is stored. */
    private GuardAnswer pending(String app, String what) {
        try {
            Guard guard = service.guard();
            if (!isStored(guard.app(app), what)) {
                throw unknown(app, what, "it is not seen to be stored");
            }
            return new GuardAnswer(
                    app,
                    guard.resources().stream()
                            .filter(resource -> uses(resource, app))
                            .map(resource -> pending(resource, app, what))
                            .toList());
        } catch (StoreException e) {
            throw unknown(app, what, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw unknown(app, what, "this server is stopping");
        }
    }

    private static GuardDecision pending(ResourceView resource, String app, String what) {
        return new GuardDecision(
                resource.dbIdentifier(),
                GuardOutcome.PENDING,
                "the " + what + " is in progress and continues by itself; check with GET /api/guard/resources/"
                        + resource.dbIdentifier(),
                List.of(),
                app,
                Instant.now(),
                0,
                resource.recordedOnly());
    }

    private static boolean isStored(App app, String what) {
        return what.equals(STOP) ? app.desired() == DesiredState.STOPPED : app.isStarting(Instant.now());
    }

    /** It may be stored any moment, or is: only that it is not done yet is certain. */
    private static Problem.Refused unknown(String app, String what, String why) {
        return GuardRoutes.unknown(
                "The " + what + " of app '" + app + "' takes long, and it is not known whether it is stored: " + why
                        + ". Ask for it again, or look: GET /api/guard/apps/" + app);
    }

    private static boolean uses(ResourceView resource, String app) {
        return resource.apps().stream().anyMatch(user -> user.app().equals(app));
    }
}
