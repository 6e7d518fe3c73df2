package dev.holdfast.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.load.HotLocks;
import dev.holdfast.server.observe.load.SlowOperations;
import dev.holdfast.server.observe.logs.LogLevels;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * {@code /admin/…}: the log and its level, threads, the store, slow operations and the most used locks.
 *
 * @param work for what takes long: a dump of all threads stops them for a moment; the log and files are long
 */
public record AdminRoutes(
        LogLevels levels, AuditTrail trail, SlowOperations slow, HotLocks hot, StoreFacts store, Blocking work) {
    private static final Logger LOG = LoggerFactory.getLogger(AdminRoutes.class);
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String LOG_LEVEL = "/admin/log-level";
    private static final String DEFAULT = "default";
    private static final int HOTTEST = 50;

    public List<Route> routes() {
        return List.of(
                Route.get(LOG_LEVEL, this::level),
                Route.of(HttpMethod.PUT, LOG_LEVEL, this::changeLevel),
                Route.get("/admin/log", call -> text(call, AdminRoutes::log)),
                Route.get("/admin/threads", call -> text(call, ThreadDump::text)),
                Route.get("/admin/load", this::load),
                Route.get("/admin/store", this::store));
    }

    // ---- the level

    private CompletableFuture<Reply> level(Call call) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        return CompletableFuture.completedFuture(Reply.ok(this::writeLevels));
    }

    private CompletableFuture<Reply> changeLevel(Call call) {
        call.query().check();
        JsonFields fields = call.fields();
        Optional<Level> level = fields.text("level", AdminRoutes::levelOrDefault, Optional.empty());
        String logger = fields.optionalText("logger", LogLevels::logger).orElse(LogLevels.OWN);
        Optional<Duration> time = fields.optionalInteger("duration_ms", 1_000, LogLevels.LONGEST.toMillis())
                .map(Duration::ofMillis);
        fields.check();
        call.requireEverywhere(Role.ADMIN);
        level.flatMap(it -> LogLevels.objection(logger, it)).ifPresent(why -> {
            throw Problem.invalid("level is not allowed: " + why);
        });
        change(call, logger, level, time);
        return CompletableFuture.completedFuture(Reply.ok(this::writeLevels));
    }

    private void change(Call call, String logger, Optional<Level> level, Optional<Duration> time) {
        try {
            if (level.isPresent()) {
                levels.change(logger, level.get(), time);
            } else if (!levels.back(logger)) {
                return; // nothing was changed
            }
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("logger is not allowed: " + e.getMessage());
        }
        String now = level.map(AdminRoutes::spelling).orElse(DEFAULT);
        String until = time.map(it -> " for " + it.toSeconds() + " s").orElse("");
        LOG.atInfo()
                .addKeyValue("request_id", call.id())
                .log(
                        "config.changed: the log level of {} is {}{}, by {}",
                        logger,
                        now,
                        until,
                        call.principal().name());
        trail.record(AuditEntry.done(
                AuditEntry.Action.CONFIG_CHANGED,
                call.caller(),
                "logging.level",
                Map.of("logger", logger, "level", now + until)));
    }

    private static Optional<Level> levelOrDefault(String text) {
        return text.equals(DEFAULT) ? Optional.empty() : Optional.of(LogLevels.level(text));
    }

    private void writeLevels(JsonGenerator json) throws IOException {
        json.writeStringField("level", spelling(levels.configured()));
        JsonText.objects(json, "items", levels.changes(), (out, change) -> {
            out.writeStringField("logger", change.logger());
            out.writeStringField("level", spelling(change.level()));
            out.writeStringField("expires_at", change.until().map(Rfc3339::text).orElse(null));
        });
    }

    private static String spelling(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    // ---- texts

    private CompletableFuture<Reply> text(Call call, Callable<String> found) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        return work.run(call, found).thenApply(text -> Reply.bytes(200, TEXT, Buffer.buffer(text)));
    }

    private static String log() {
        return Logging.recentLines()
                .map(lines -> lines.isEmpty() ? "" : String.join("\n", lines) + "\n")
                .orElse("This process keeps no log lines: its logging was not set up by 'holdfast serve'.\n");
    }

    // ---- what it is busy with

    private CompletableFuture<Reply> load(Call call) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        return CompletableFuture.completedFuture(Reply.ok(json -> {
            JsonText.objects(json, "slow_operations", slow.newest(), AdminRoutes::write);
            JsonText.objects(json, "hottest_locks", hot.most(HOTTEST), (out, one) -> {
                out.writeStringField("namespace", one.key().namespace());
                out.writeStringField("name", one.key().name());
                out.writeNumberField("events", one.events());
                out.writeNumberField("retries", one.retries());
            });
        }));
    }

    private static void write(JsonGenerator json, SlowOperations.Slow one) throws IOException {
        json.writeStringField("answered_at", Rfc3339.text(one.at()));
        json.writeStringField("operation", one.operation());
        json.writeStringField("namespace", one.key().map(RecordKey::namespace).orElse(null));
        json.writeStringField("name", one.key().map(RecordKey::name).orElse(null));
        json.writeStringField("document", one.document().orElse(null));
        json.writeStringField("actor", one.cause().actor());
        json.writeStringField("request_id", one.cause().request());
        json.writeNumberField("took_ms", one.took().toMillis());
        json.writeNumberField("store_ms", one.inStore().toMillis());
        json.writeNumberField("queue_ms", one.queued().toMillis());
        json.writeBooleanField("failed", one.failed());
    }

    private CompletableFuture<Reply> store(Call call) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        return work.run(call, () -> Reply.ok(store::write));
    }
}
