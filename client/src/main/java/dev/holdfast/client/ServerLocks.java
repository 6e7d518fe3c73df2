package dev.holdfast.client;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.LockView;
import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.LeaseRenewals;
import dev.holdfast.internal.engine.leases.RenewalLine;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.internal.parts.Leftovers;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.CleanupJson;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of a server. Leases count from before the request that took or renewed them was sent, never from its answer; they are
 * renewed with one request for all. Safe for any thread.
 */
public final class ServerLocks implements LockService {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLocks.class);
    /** How long close waits for places in queues to be given up. */
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private static final Instant FIRST_TIME = Instant.parse("0001-01-02T00:00:00Z");
    private static final Instant LAST_TIME = Instant.parse("9998-12-30T00:00:00Z");

    /** Every lock of the store is looked at. */
    private static final Duration LONGEST_CLEANUP = Duration.ofMinutes(2);

    private final ClientConfig config;
    private final Machine machine;
    private final ServerTransport transport;
    private final Heartbeat heartbeat;
    private final LeaseRenewals renewals;
    private final Optional<ForcedNews> forced;
    private final Set<PolledAcquire> polling = ConcurrentHashMap.newKeySet();
    private final Leftovers leftovers = new Leftovers();
    private final Set<Events> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;
    private volatile boolean closing;

    private ServerLocks(ServerConfig servers, ClientConfig client) {
        this.config = client;
        this.machine = new ThreadMachine("client", client.executor());
        this.transport = new ServerTransport(servers, machine, config.operationTimeout());
        this.heartbeat = new Heartbeat(this);
        this.renewals = new LeaseRenewals(machine, new Judgement(), heartbeat, RenewalLine.toServer(servers.listens()));
        this.forced = servers.listens() ? Optional.of(new ForcedNews(this, renewals, machine)) : Optional.empty();
    }

    /** A client of these servers. */
    public static LockClient client(ServerConfig servers, ClientConfig config) {
        return connect(servers, config).client(config);
    }

    /** The locks of these servers; nothing is sent before something is asked. */
    public static LockService connect(ServerConfig servers, ClientConfig config) {
        return new ServerLocks(servers, config);
    }

    // ---- for the parts

    ServerTransport transport() {
        return transport;
    }

    long now() {
        return machine.time().nanos();
    }

    long deadline() {
        return now() + config.operationTimeout().toNanos();
    }

    Duration patience() {
        return config.operationTimeout();
    }

    int servers() {
        return transport.servers().size();
    }

    // ---- taking and keeping

    @Override
    public LeaseId newLeaseId() {
        return LeaseId.ofBits(machine.random(), machine.random());
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public Asking acquire(Request request, Calling calling) {
        boolean tooMany = !request.waitFor().isZero() && polling.size() >= config.waiters(); // each has a connection
        PolledAcquire asking = new PolledAcquire(this, tooMany ? request.withoutWaiting() : request);
        polling.add(asking); // before it is looked whether the client ends: who ends it sees the one or the other
        Stages.then(asking.answer(), (answer, failure) -> polling.remove(asking));
        if (closing || draining) {
            asking.answer().completeExceptionally(transport.closedException());
        } else {
            asking.begin();
        }
        return asking;
    }

    @Override
    public KeptLease keep(RecordKey key, Grant grant, boolean renews) {
        KeptLease lease = renewals.keep(key, grant.hold(), grant.start(), renews);
        if (renews) {
            forced.ifPresent(news -> news.kept(key, grant.hold()));
        }
        return lease;
    }

    @Override
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length) {
        return renewals.extend(lease, length, deadline());
    }

    @Override
    public CompletableFuture<Optional<LostReason>> release(KeptLease lease, Command.Ending ending, Calling calling) {
        return renewals.release(
                lease, () -> releaseThere(lease.key(), lease.hold().leaseId(), ending));
    }

    private CompletableFuture<Optional<LostReason>> releaseThere(
            RecordKey key, LeaseId leaseId, Command.Ending ending) {
        return switch (ending.how()) {
            case LOST -> endLost(key, leaseId);
            case UNUSED, UNDELIVERED -> endUnused(key, leaseId);
            case RELEASED ->
                end(key, leaseId, json -> {
                    if (ending.generation().isPresent()) {
                        json.writeStringField("done", ending.generation().get());
                    }
                });
        };
    }

    /** An older server does not know the field and refuses the request: there a lock is just released. */
    private CompletableFuture<Optional<LostReason>> endUnused(RecordKey key, LeaseId leaseId) {
        return end(key, leaseId, json -> json.writeBooleanField("unused", true))
                .exceptionallyCompose(failure -> Causes.of(failure) instanceof IllegalArgumentException
                        ? end(key, leaseId, json -> {})
                        : CompletableFuture.failedFuture(failure));
    }

    /** Empty if it ended by this request; else how it had ended before. */
    private CompletableFuture<Optional<LostReason>> end(RecordKey key, LeaseId leaseId, JsonText.Part how) {
        byte[] body = LeaseJson.lease(key, leaseId, how);
        return post("the release of lock " + key, "/v2/locks/release", body).thenApply(reply -> {
            Json.Obj result = AnswerFields.first(reply.body(), "results");
            return switch (LeaseJson.outcome(result)) {
                case "released" -> Optional.empty();
                case "not_held" -> {
                    LostReason reason = LeaseJson.reason(result);
                    yield reply.doubted() && reason == LostReason.RELEASED
                            ? Optional.<LostReason>empty() // by the same request, whose answer did not come
                            : Optional.of(reason);
                }
                default -> throw unknown(key, "released", result);
            };
        });
    }

    private static OutcomeUnknownException unknown(RecordKey key, String what, Json.Obj result) {
        return new OutcomeUnknownException(
                "The server does not know whether lock " + key + " was " + what + ": "
                        + result.text("reason").orElse("no reason given"),
                null);
    }

    CompletableFuture<Optional<LostReason>> endLost(RecordKey key, LeaseId leaseId) {
        return end(key, leaseId, json -> json.writeBooleanField("lost", true));
    }

    CompletableFuture<Optional<LostReason>> withdraw(RecordKey key, LeaseId leaseId) {
        return end(key, leaseId, json -> json.writeBooleanField("place_only", true));
    }

    CompletableFuture<Optional<LostReason>> giveBack(RecordKey key, Hold hold) {
        long confirmation = Times.micros(hold.renewedAt());
        return end(key, hold.leaseId(), json -> json.writeNumberField("confirmation", confirmation));
    }

    /** Gives up something nobody waits for: if that does not arrive, time does the same. */
    CompletableFuture<Void> giveUp(RecordKey key, Supplier<? extends CompletableFuture<?>> how) {
        return leftovers.giveUp(() -> {
            CompletableFuture<?> given = how.get();
            Stages.then(given, (done, failure) -> {
                if (failure != null && !closing) {
                    LOG.info("Could not clean up lock {}; it ends by itself: {}", key, failure.getMessage());
                }
            });
            return given;
        });
    }

    // ---- by lease id alone

    @Override
    public CompletableFuture<Attempt<Holder>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease) {
        lease.ifPresent(Terms::lease);
        byte[] body = LeaseJson.lease(key, leaseId, json -> {
            if (lease.isPresent()) {
                json.writeNumberField("lease_ms", lease.get().toMillis());
            }
        });
        ServerRequest renewal = ask("the renewal of lock " + key, "POST", "/v2/locks/renew", Optional.of(body))
                .with(Map.of(LeaseJson.PREFER, LeaseJson.WHOLE_ANSWER));
        return transport.send(renewal).thenCompose(reply -> {
            Json.Obj result = AnswerFields.first(reply.body(), "results");
            return switch (LeaseJson.outcome(result)) {
                case "renewed" ->
                    LeaseJson.holder(result, key)
                            .map(holder ->
                                    CompletableFuture.<Attempt<Holder>>completedFuture(new Attempt.Done<>(holder)))
                            .orElseGet(() -> holder(key, result));
                case "lost" ->
                    CompletableFuture.completedFuture(new Attempt.Lost<Holder>(whole(key), LeaseJson.reason(result)));
                default -> throw unknown(key, "renewed", result);
            };
        });
    }

    private static LockKey whole(RecordKey key) {
        return new LockKey(key, LockPath.WHOLE);
    }

    /** Who holds what was renewed, where an older server does not say so at once; lost if it ended just now. */
    private CompletableFuture<Attempt<Holder>> holder(RecordKey key, Json.Obj renewed) {
        Token token = new Token(AnswerFields.number(renewed, "fencing_token"));
        return look(key)
                .exceptionally(failure -> {
                    throw new OutcomeUnknownException(
                            "Lock " + key + " was renewed (token " + token
                                    + renewed.text("expires_at")
                                            .map(end -> ", until " + end)
                                            .orElse("")
                                    + "); who holds it now could not be looked up afterwards. Look at the lock",
                            Causes.of(failure));
                })
                .thenApply(view -> view.holders().stream()
                        .filter(holder -> holder.token().equals(token))
                        .findFirst()
                        .<Attempt<Holder>>map(Attempt.Done::new)
                        .orElseGet(() -> new Attempt.Lost<>(whole(key), LostReason.UNKNOWN)));
    }

    @Override
    public CompletableFuture<Boolean> release(RecordKey key, LeaseId leaseId) {
        return end(key, leaseId, json -> {}).thenApply(Optional::isEmpty);
    }

    // ---- looking

    @Override
    public CompletableFuture<LockView> look(RecordKey key) {
        String path = new RequestQuery("/v2/lock")
                .with("namespace", key.namespace())
                .with("name", key.name())
                .toString();
        return get("the look at lock " + key, path).thenApply(reply -> LockJson.lock(reply.body()));
    }

    private CompletableFuture<ServerReply> post(String what, String path, byte[] body) {
        return transport.send(ask(what, "POST", path, Optional.of(body)));
    }

    private CompletableFuture<ServerReply> get(String what, String path) {
        return transport.send(ask(what, "GET", path, Optional.empty()));
    }

    private ServerRequest ask(String what, String method, String path, Optional<byte[]> body) {
        return ServerRequest.of(what, method, path, body, deadline(), patience());
    }

    @Override
    public CompletableFuture<Inspector.Locks> list(ScanRequest request) {
        if (request.which().idleSince().isPresent()) {
            throw new IllegalArgumentException("a server does not list locks by how long they have been idle");
        }
        RequestQuery query = new RequestQuery("/v2/locks")
                .with("namespace", request.namespace())
                .with("prefix", request.prefix())
                .with("limit", request.limit())
                .with("cursor", request.cursor());
        String path = (request.which().busy() ? query.with("state", "busy") : query).toString();
        return get("the listing of locks", path)
                .thenApply(reply -> new Inspector.Locks(
                        AnswerFields.objects(reply.body(), "items").stream()
                                .map(LockJson::lock)
                                .toList(),
                        reply.body().text("next_cursor")));
    }

    @Override
    public CompletableFuture<List<EventLog.StoredEvent>> history(EventLog.EventQuery query) {
        return history(query, Optional.empty(), new ArrayList<>());
    }

    /** A server may answer with less than asked and a place to go on from. */
    private CompletableFuture<List<EventLog.StoredEvent>> history(
            EventLog.EventQuery query, Optional<String> cursor, List<EventLog.StoredEvent> found) {
        String path = new RequestQuery("/v2/history")
                .with("namespace", query.namespace())
                .with("name", query.name())
                .with("lockName", query.called())
                .with("event", query.type().map(type -> type.label()))
                .with("from", query.from().map(ServerLocks::told))
                .with("to", query.to().map(ServerLocks::told))
                .with("after", query.after())
                .with("before", query.before())
                .with("limit", query.limit() - found.size())
                .with("cursor", cursor)
                .toString();
        return get("the look at the history", path).thenCompose(reply -> {
            AnswerFields.objects(reply.body(), "items")
                    .forEach(item -> EventJson.read(item).ifPresent(found::add));
            Optional<String> next = reply.body().text("next_cursor");
            return next.isEmpty() || found.size() >= query.limit()
                    ? CompletableFuture.completedFuture(found)
                    : history(query, next, found);
        });
    }

    /** A server takes years of four digits that have a day before and after; nothing ever happened outside of them. */
    private static Instant told(Instant time) {
        return Times.later(FIRST_TIME, Times.earlier(time, LAST_TIME));
    }

    @Override
    public EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener) {
        Events events = new Events(this, Optional.empty(), listener, listening::remove);
        listening.add(events); // before it is looked whether the client ends
        if (closing) {
            events.close();
        } else {
            events.begin();
        }
        return events;
    }

    @Override
    public int keptLeases() {
        return renewals.size();
    }

    // ---- operators

    /** The server records who is logged in there; {@code by} only has to be somebody. */
    @Override
    public CompletableFuture<Attempt<Holder>> force(RecordKey key, Token expected, String by, String reason) {
        Names.text("actor", by, 1);
        Names.text("reason", reason, 1);
        byte[] body = LeaseJson.force(key, expected, reason);
        return post("the force-unlock of lock " + key, "/v2/locks/force-unlock", body)
                .thenApply(reply -> {
                    if (reply.status() < 300) {
                        return new Attempt.Done<>(LockJson.holder(AnswerFields.object(reply.body(), "holder"), key));
                    }
                    if (reply.doubted()) {
                        throw new OutcomeUnknownException(
                                "Lock " + key
                                        + " is not held with that token any more; whether this force-unlock ended it"
                                        + " is not known, since an answer was lost",
                                null);
                    }
                    return new Attempt.Busy<>(whole(key), LockJson.holders(reply.body(), key), 0);
                });
    }

    @Override
    public CompletableFuture<Inspector.CleanupReport> cleanup(boolean dryRun) {
        ServerRequest ask = ask(
                        "the clean-up", "POST", "/api/locks/cleanup?dry_run=" + dryRun, Optional.of(new byte[0]))
                .held(LONGEST_CLEANUP)
                .as(ServerRequest.Kind.LENGTHY);
        return transport.send(ask).thenApply(reply -> CleanupJson.read(reply.body()));
    }

    // ---- end

    @Override
    public void drain(Duration within) {
        draining = true;
        leaveQueues();
        renewals.drain(within, lease -> endLost(lease.key(), lease.hold().leaseId()));
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        listening.forEach(Events::close);
        forced.ifPresent(ForcedNews::close);
        leaveQueues();
        renewals.close();
        heartbeat.close();
        transport.close();
        machine.close();
    }

    private void leaveQueues() {
        for (PolledAcquire asking : polling) {
            var unused = leftovers.giveUp(asking::close);
        }
        leftovers
                .await(CLOSE_WITHIN)
                .ifPresent(why -> LOG.info(
                        "Some places in lock queues could not be given up at close; they end by themselves", why));
    }
}
