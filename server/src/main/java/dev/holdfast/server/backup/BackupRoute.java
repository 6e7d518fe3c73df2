package dev.holdfast.server.backup;

import dev.holdfast.LockClient;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.backup.BackupTotals;
import dev.holdfast.wire.backup.BackupWalk;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands out backups, one at a time: each reads everything there is. */
public final class BackupRoute {
    private static final Logger LOG = LoggerFactory.getLogger(BackupRoute.class);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final RecordStore store;
    private final LockClient locks;
    private final BackupSources sources;
    private final String program;
    private final Blocking thread;
    private final AtomicBoolean underWay = new AtomicBoolean();

    public BackupRoute(RecordStore store, LockClient locks, BackupSources sources, String program, Blocking thread) {
        this.store = store;
        this.locks = locks;
        this.sources = sources;
        this.program = program;
        this.thread = thread;
    }

    /** The call: it gives out what is in states, and lease ids. */
    public Route route() {
        return Route.get("/admin/backup", this::answer).having(Route.Effect.REVEALS);
    }

    private CompletableFuture<Reply> answer(Call call) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        if (underWay.get()) {
            throw busy();
        }
        // What is wrong from the start is told in words; later only by an end that does not come.
        return call.here(locks.inspect()
                .listAsync(ScanRequest.all().limit(1))
                .thenCompose(page -> thread.run(sources::check))
                .thenApply(ready -> Reply.stream("application/gzip", response -> stream(call, response))
                        .header("Content-Disposition", "attachment; filename=\"holdfast.backup\"")));
    }

    private static Problem.Refused busy() {
        return Problem.refusal(
                503, "busy", "Another backup is being written. Ask again when that is done", Duration.ofSeconds(5));
    }

    private void stream(Call call, HttpServerResponse response) {
        Context context = Vertx.currentContext();
        response.setChunked(true);
        if (!underWay.compareAndSet(false, true)) {
            response.reset();
            return;
        }
        ResponseStream out = new ResponseStream(response, context, PATIENCE);
        Runnable forget = call.standing().whenOver(() -> out.stop("the credentials of the caller ended"));
        CompletableFuture<BackupTotals> written;
        try {
            written = thread.run(() -> write(out));
        } catch (RuntimeException e) {
            forget.run();
            underWay.set(false);
            response.reset();
            LOG.warn("A backup could not be begun: {}", e.getMessage());
            return;
        }
        StageContinuation.then(written, (totals, failure) -> {
            forget.run();
            if (totals == null) {
                underWay.set(false);
                LOG.warn(
                        "A backup was broken off, its file is not whole: {}",
                        failure == null ? "" : Causes.of(failure).getMessage());
                context.runOnContext(now -> response.reset());
            }
        });
    }

    private BackupTotals write(ResponseStream out) throws IOException {
        BackupTotals totals = sources.with(places -> new BackupWalk(store, places, program).writeTo(out));
        underWay.set(false); // before the client can know that it is over, and ask for the next
        out.end();
        LOG.info(
                "A backup was handed out: {} locks, {} events, {} documents",
                totals.locks(),
                totals.events(),
                totals.documents());
        return totals;
    }
}
