package dev.holdfast.server.routes;

import dev.holdfast.Inspector.CleanupReport;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.wire.CleanupJson;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /v2/locks/force-unlock} and {@code POST /api/locks/cleanup}: what only an admin may do, and is audited. */
record OperatorRoutes(LockCalls locks) {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorRoutes.class);
    private static final RecordKey CLEANUPS = new RecordKey("holdfast", "cleanup");
    private static final int MAX_NAMES = 2_000;

    CompletableFuture<Reply> force(Call call) {
        JsonFields fields = call.fields();
        LockKey named = LockParameters.lock(fields);
        RecordKey key = named.record();
        Optional<LockPath> path = LockParameters.path(fields, named);
        Token token = new Token(fields.integer("fencing_token", 0, Long.MAX_VALUE));
        String reason = fields.text(
                "reason",
                text -> {
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("say why, for the holder who finds the lock gone");
                    }
                    return LockParameters.reason(text);
                },
                "-");
        fields.check();
        call.require(Role.ADMIN, key);
        return locks.engine()
                .read(key)
                .thenCompose(record -> {
                    Optional<Hold> seen = record.stream()
                            .flatMap(it -> it.holds().stream())
                            .filter(it -> it.token().equals(token))
                            .findFirst();
                    if (path.isPresent()
                            && seen.isPresent()
                            && !seen.get().scope().paths().contains(path.get())) {
                        throw changed(key, token, List.of(seen.get())).refused();
                    }
                    return locks.engine().force(key, token, reason, call.cause());
                })
                .thenApply(answer -> reply(key, token, reason, call, answer.result()));
    }

    private static Reply reply(RecordKey key, Token token, String reason, Call call, ForceResult result) {
        return result.fold(
                forced -> Reply.ok(json -> {
                    Hold victim = forced.victim();
                    LockKey part = new LockKey(key, victim.scope().paths().get(0));
                    LockJson.forced(
                            json, part, token, victim.owner(), call.principal().name(), reason);
                    json.writeFieldName("holder");
                    LockJson.hold(json, victim);
                }),
                changed -> {
                    throw changed(key, token, changed.holders()).refused();
                });
    }

    private static Problem changed(RecordKey key, Token token, List<Hold> holders) {
        String now = holders.isEmpty() ? "It is free" : "Check who holds it now, and whether you still want this";
        return Problem.of(
                        409,
                        "holder-changed",
                        "Lock '" + key.name() + "' in '" + key.namespace() + "' is not held with token " + token.value()
                                + " any more; nothing was done. " + now)
                .with("holders", (JsonText.Part) json -> LockJson.holds(json, holders));
    }

    CompletableFuture<Reply> cleanup(Call call) {
        Query query = call.query();
        boolean dryRun = query.text("dry_run", LockParameters::truth).orElse(false);
        query.check();
        call.requireEverywhere(Role.ADMIN);
        return locks.engine().sweep(dryRun).thenApply(swept -> {
            List<String> names = swept.locks().stream().map(RecordKey::toString).toList();
            if (!dryRun) {
                remember(call, swept, names);
            }
            return Reply.ok(
                    CleanupJson.write(new CleanupReport(swept.judged(), swept.removed(), swept.locks()), dryRun));
        });
    }

    /** Into the history, under a name of its own. The clean-up is done, whatever becomes of the note. */
    private void remember(Call call, LockEngine.SweepReport swept, List<String> names) {
        String first = String.join(" ", names);
        Map<String, String> found = Map.of(
                "ended", Integer.toString(swept.judged()),
                "deleted", Integer.toString(swept.removed()),
                "locks", first.length() <= MAX_NAMES ? first : first.substring(0, MAX_NAMES - 3) + "...");
        Note note = Note.of(EventType.CLEANUP_DONE, call.principal().name(), "", found);
        StageContinuation.then(locks.engine().remember(CLEANUPS, note, call.cause()), (done, failure) -> {
            if (failure != null) {
                LOG.warn("The clean-up was done, but could not be recorded: {}", failure.getMessage());
            }
        });
    }
}
