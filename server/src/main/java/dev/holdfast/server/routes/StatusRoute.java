package dev.holdfast.server.routes;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.spi.HoldLabel;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** {@code GET /api/locks/status}: who works on what right now, in the words of pods. */
record StatusRoute(LockCalls locks) {
    /** Records looked at for one answer; {@code /v2/locks} pages through more. */
    private static final int MAX_LOCKS = 10_000;

    private record Active(RecordKey key, Holder holder) {}

    CompletableFuture<Reply> answer(Call call) {
        Query query = call.query();
        Optional<String> name = query.text("lockName", LockParameters::lockName);
        Optional<String> namespace = LockParameters.namespaceOf(query);
        query.check();
        call.requireRead(namespace);
        Predicate<Active> wanted = active -> call.principal().grants().may(Role.READ, active.key())
                && name.map(text -> text.equals(label(active))
                                || text.equals(active.key().name()))
                        .orElse(true);
        ScanRequest scan =
                new ScanRequest(namespace, "", ScanRequest.Which.ALL, Optional.empty(), ScanRequest.MAX_LIMIT).busy();
        return search(scan, wanted, new ArrayList<>(), 0);
    }

    private CompletableFuture<Reply> search(
            ScanRequest request, Predicate<Active> wanted, List<Active> found, int looked) {
        return locks.inspector().listAsync(request).thenCompose(page -> {
            for (LockView lock : page.locks()) {
                lock.holders().stream()
                        .map(holder -> new Active(lock.key(), holder))
                        .filter(wanted)
                        .forEach(found::add);
            }
            int all = looked + page.locks().size();
            return page.next().isEmpty() || all >= MAX_LOCKS
                    ? reply(found, page.next().isPresent())
                    : search(request.from(page.next()), wanted, found, all);
        });
    }

    private CompletableFuture<Reply> reply(List<Active> found, boolean more) {
        return locks.engine()
                .now()
                .thenApply(now -> Reply.ok(json -> {
                    JsonText.objects(json, "active", found, StatusRoute::write);
                    json.writeNumberField("count", found.size());
                    if (more) {
                        json.writeBooleanField("truncated", true);
                    }
                    json.writeStringField("server_time", Rfc3339.text(now.latest()));
                }));
    }

    private static void write(JsonGenerator json, Active active) throws IOException {
        Holder holder = active.holder();
        json.writeStringField("lock_name", label(active));
        json.writeStringField("namespace", active.key().namespace());
        json.writeStringField("name", active.key().name());
        json.writeStringField("path", holder.paths().get(0).value());
        json.writeStringField("owner", holder.owner());
        json.writeStringField("pod_id", holder.owner());
        json.writeStringField("granted_at", Rfc3339.text(holder.grantedAt()));
        json.writeStringField("acquired_at", Rfc3339.text(holder.grantedAt()));
        json.writeStringField(
                "expires_at", holder.expiresAt().map(Rfc3339::text).orElse(null));
        json.writeStringField("renewed_at", Rfc3339.text(holder.renewedAt()));
        json.writeBooleanField("is_active", true);
        json.writeBooleanField("stale", holder.stale());
        json.writeNumberField("fencing_token", holder.token().value());
        LockJson.texts(json, "metadata", holder.metadata());
    }

    private static String label(Active active) {
        return HoldLabel.of(
                active.key(), active.holder().paths(), active.holder().metadata());
    }
}
