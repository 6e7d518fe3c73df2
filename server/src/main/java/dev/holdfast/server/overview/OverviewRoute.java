package dev.holdfast.server.overview;

import dev.holdfast.LockView;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.health.HealthChecks;
import dev.holdfast.server.health.HealthRoutes;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.MemoryPermits;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.routes.LockCalls;
import dev.holdfast.server.routes.LockParameters;
import dev.holdfast.server.survey.LockSurvey;
import dev.holdfast.server.survey.ReadablePart;
import dev.holdfast.server.survey.SharedAnswers;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * {@code GET /v2/overview}: how everything stands that the caller may read. An answer is found once for all who may read the same, and
 * kept for a moment.
 */
public final class OverviewRoute {
    /** Each of them reads all locks that are in use, page by page. */
    private final MemoryPermits walks = new MemoryPermits(8, 4);

    private final LockCalls locks;
    private final HealthChecks health;
    private final RecentActivity activity;
    private final SharedAnswers<Question, byte[]> answers = new SharedAnswers<>(System::nanoTime);

    public OverviewRoute(LockCalls locks, HealthChecks health) {
        this.locks = locks;
        this.health = health;
        this.activity = new RecentActivity(locks.engine(), locks.client().inspect());
    }

    private record Question(Set<String> readable, Optional<String> namespace) {}

    public Route route() {
        return Route.get("/v2/overview", this::answer);
    }

    private CompletableFuture<Reply> answer(Call call) {
        Query query = call.query();
        Optional<String> namespace = LockParameters.namespaceOf(query);
        query.check();
        call.requireRead(namespace);
        Grants grants = call.principal().grants();
        return answers.get(
                        new Question(ReadablePart.places(grants), namespace),
                        () -> walks.run(call, () -> find(grants, namespace)))
                .thenApply(json -> Reply.bytes(200, Reply.JSON, Reply.line(json)));
    }

    private CompletableFuture<byte[]> find(Grants grants, Optional<String> namespace) {
        LockFigures figures = new LockFigures();
        boolean narrowed = !grants.mayEverywhere(Role.READ);
        Consumer<LockView> count = lock -> {
            if (!narrowed || grants.may(Role.READ, lock.key())) {
                figures.accept(lock);
            }
        };
        CompletableFuture<LockFigures> counted = new LockSurvey(locks.client().inspect())
                .look(ReadablePart.parts(namespace, "", grants), true, count)
                .thenApply(figures::seen);
        CompletableFuture<RecentActivity.Recent> recent = activity.recent();
        return counted.thenCombine(recent, (all, last) -> all)
                .thenCombine(
                        health.standing(),
                        (all, standing) -> json(
                                all,
                                recent.join(),
                                standing,
                                event -> (!narrowed
                                                || grants.may(
                                                        Role.READ, event.event().key()))
                                        && namespace
                                                .map(event.event().key().namespace()::equals)
                                                .orElse(true)));
    }

    private byte[] json(
            LockFigures figures,
            RecentActivity.Recent recent,
            HealthChecks.HealthAnswer standing,
            Predicate<StoredEvent> readable) {
        List<StoredEvent> events = recent.events().stream().filter(readable).toList();
        ActivityLines lines = new ActivityLines(
                events.stream().map(StoredEvent::event).toList(),
                recent.from(),
                recent.now(),
                figures.holders(),
                figures.waiting());
        return JsonText.object(json -> {
            json.writeStringField("server_time", Rfc3339.text(recent.now()));
            json.writeObjectFieldStart("health");
            HealthRoutes.write(json, standing);
            json.writeEndObject();
            figures.write(json);
            if (locks.engine().config().history()) {
                json.writeObjectFieldStart("activity");
                lines.write(json);
                json.writeEndObject();
            } else {
                json.writeNullField("activity");
            }
            JsonText.values(json, "events", NotableEvents.of(events), EventJson::write);
            JsonText.values(json, "warnings", Warnings.of(events), EventJson::write);
        });
    }
}
