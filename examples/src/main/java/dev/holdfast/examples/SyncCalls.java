package dev.holdfast.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.spi.HoldLabel;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls of {@link SyncService}. Only translates: what may run is decided by the lock. */
record SyncCalls(SyncRuns runs, Inspector inspector) implements HttpHandler {
    private static final String PROJECT = "/api/sync/project/";
    /** Locks shown at most. */
    private static final int MAX_SHOWN = 1_000;

    private record Reply(int status, Json.Obj body) {
        static Reply problem(int status, String what) {
            return new Reply(status, Json.object().with("error", Json.of(what)));
        }
    }

    @Override
    public void handle(HttpExchange call) throws IOException {
        try (call) {
            Reply reply = answer(call);
            byte[] body = reply.body().bytes();
            call.getResponseHeaders().set("Content-Type", "application/json");
            call.sendResponseHeaders(reply.status(), body.length);
            call.getResponseBody().write(body);
        }
    }

    private Reply answer(HttpExchange call) {
        try {
            return routed(call.getRequestMethod(), call.getRequestURI());
        } catch (IllegalArgumentException e) {
            return Reply.problem(400, String.valueOf(e.getMessage()));
        } catch (StoreException e) { // neither busy nor free: nobody knows
            return Reply.problem(503, String.valueOf(e.getMessage()));
        } catch (ClientClosedException e) { // the locks are closed
            return Reply.problem(503, SyncService.POD + " is ending; ask another pod");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Reply.problem(503, SyncService.POD + " is ending; ask another pod");
        }
    }

    private Reply routed(String method, URI uri) throws InterruptedException {
        String path = uri.getPath();
        if (path.equals("/api/locks/status")) {
            return method.equals("GET") ? status(wanted(uri)) : Reply.problem(405, "use GET");
        }
        Optional<SyncJob> job = job(path);
        if (job.isEmpty()) {
            return Reply.problem(404, "there is no " + path);
        }
        return method.equals("POST") ? started(runs.start(job.get())) : Reply.problem(405, "use POST");
    }

    private static Optional<SyncJob> job(String path) {
        if (path.equals("/api/sync")) {
            return Optional.of(SyncJob.all());
        }
        if (path.equals("/api/changelog/sync")) {
            return Optional.of(SyncJob.changelog());
        }
        return path.startsWith(PROJECT) && path.length() > PROJECT.length()
                ? Optional.of(SyncJob.project(path.substring(PROJECT.length())))
                : Optional.empty();
    }

    private static Reply started(SyncRuns.Start start) {
        Json.Obj who = Json.object()
                .with("job", Json.of(start.job()))
                .with("pod", Json.of(start.pod()))
                .with("since", Json.of(start.since().toString()));
        return new Reply(start.status(), who.with(start.status() == 202 ? "message" : "error", Json.of(start.told())));
    }

    private static Optional<String> wanted(URI uri) {
        return Optional.ofNullable(uri.getQuery())
                .filter(query -> query.startsWith("lockName="))
                .map(query -> query.substring("lockName=".length()));
    }

    /** Who works on what, on any pod. */
    private Reply status(Optional<String> wanted) {
        List<Json> active = new ArrayList<>();
        ScanRequest busy = ScanRequest.all().in("default").limit(MAX_SHOWN);
        for (LockView lock : inspector.list(busy.busy()).locks()) {
            for (Holder holder : lock.holders()) {
                String label = HoldLabel.of(lock.key(), holder.paths(), holder.metadata());
                if (wanted.map(label::equals).orElse(true)) {
                    active.add(Json.object()
                            .with("lock_name", Json.of(label))
                            .with("pod_id", Json.of(holder.owner()))
                            .with("acquired_at", Json.of(holder.grantedAt().toString()))
                            .with(
                                    "expires_at",
                                    holder.expiresAt()
                                            .map(end -> Json.of(end.toString()))
                                            .orElseGet(Json::nil)));
                }
            }
        }
        return new Reply(200, Json.object().with("active", new Json.Arr(active)).with("pod", Json.of(SyncService.POD)));
    }
}
