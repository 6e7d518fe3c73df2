package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.DeployLocks;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.json.Json;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * State kept by a server, through the routes that Terraform uses and some more. The server writes down who saved:
 * whoever is logged in there, with the name the lease was taken in; a {@link Provenance} given here only has to be one.
 * It does not say whether a save was a repeat, so {@link SaveOutcome.Repeated} is never returned; a repeat still makes
 * no second version.
 */
public final class ServerStates implements StateManager {
    /** Versions among which the one that was read or saved is looked for; more are hardly saved before that look. */
    private static final int RECENT = 20;

    /** Stacks are often listed a thousand at a time, and those that are locked are fewer. */
    private static final int LOCK_PAGES = 5;

    /** What is said of a document that others put there. */
    private static final Provenance FOUND = Provenance.of("unknown", "found");

    private final LockClient locks;
    private final boolean owned;
    private final Calls calls;

    private ServerStates(LockClient locks, boolean owned, Calls calls) {
        this.locks = locks;
        this.owned = owned;
        this.calls = calls;
    }

    public static StateManager connect(ServerConfig servers, ClientConfig config) {
        return new ServerStates(ServerLocks.client(servers, config), true, new Calls(servers, config));
    }

    /** The same with locks that are open; they stay open when it is closed. */
    public static StateManager on(LockClient locks, ServerConfig servers, ClientConfig config) {
        return new ServerStates(locks, false, new Calls(servers, config));
    }

    /** The path of a stack at any server; its names need no escaping. */
    public static String path(Stack stack) {
        return "/state/" + stack.name() + "/" + stack.environment();
    }

    private static String name(Stack stack) {
        return "state of stack '" + stack.name() + "' in '" + stack.environment() + "'";
    }

    @Override
    public DeployLocks locks() {
        return DeployLocks.of(locks, this);
    }

    // ---- claiming

    /** The server claims for whoever sends {@code LOCK}, also for the one that holds already. */
    @Override
    public ClaimOutcome claim(DeployKey key, LeaseId leaseId, Token token) {
        Stack stack = key.stack();
        Json.Obj info = Json.object()
                .with("ID", Json.of(leaseId.value()))
                .with("Operation", Json.of("holdfast"))
                .with("Who", Json.of("holdfast"));
        ServerReply reply = calls.send("the claim of the " + name(stack), "LOCK", path(stack), info.bytes());
        return isDone(reply)
                ? new ClaimOutcome.Claimed(token)
                : refused(reply, StateRefusal.Reason.FENCED, stack, "is locked by another");
    }

    // ---- reading

    @Override
    public Optional<LoadedState> load(Stack stack) {
        return loaded(stack, "the look at the " + name(stack), path(stack));
    }

    @Override
    public Optional<LoadedState> version(Stack stack, String version) {
        return loaded(
                stack,
                "the look at version '" + version + "' of the " + name(stack),
                path(stack) + "/versions/" + Calls.escaped(version));
    }

    private Optional<LoadedState> loaded(Stack stack, String what, String path) {
        ServerReply reply = checked(stack, calls.get(what, path));
        if (!isDone(reply)) {
            return Optional.empty();
        }
        String version = version(reply);
        return Optional.of(new LoadedState(known(stack, version, reply.bytes()), reply.bytes()));
    }

    /** What the history says of it; what is there was read, and is given also if the history cannot be. */
    private StateVersion known(Stack stack, String version, byte[] bytes) {
        Optional<StateVersion> recorded;
        try {
            recorded = recorded(stack, version);
        } catch (StoreUnavailableException e) {
            recorded = Optional.empty();
        }
        return recorded.orElseGet(() -> StateVersion.found(stack, version, Optional.empty(), FOUND, bytes));
    }

    private static String version(ServerReply reply) {
        return reply.headers().firstValue("ETag").orElse("").replace("\"", "");
    }

    private Optional<StateVersion> recorded(Stack stack, String version) {
        return history(stack, RECENT, Optional.empty()).versions().stream()
                .filter(it -> it.version().equals(version))
                .findFirst();
    }

    @Override
    public Optional<StateVersion> current(Stack stack) {
        ServerReply reply = calls.send("the look at the " + name(stack), "HEAD", path(stack));
        if (reply.status() == 500) { // a HEAD has no body to say why
            return load(stack).map(LoadedState::version);
        }
        // A document that others put there is in no history yet, and tells nothing about itself unless it is read.
        return isDone(reply)
                ? history(stack, 1, Optional.empty()).versions().stream()
                        .findFirst()
                        .or(() -> load(stack).map(LoadedState::version))
                : Optional.empty();
    }

    @Override
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        String path = new RequestQuery(path(stack) + "/history")
                .with("limit", limit)
                .with("cursor", cursor)
                .toString();
        Json.Obj page = checked(stack, calls.get("the history of the " + name(stack), path))
                .body();
        List<StateVersion> versions = page.objects("items").stream()
                .flatMap(it -> StateJson.version(stack, it).stream())
                .toList();
        return new HistoryPage(versions, page.text("next_cursor"));
    }

    /** The server compares, as long as somebody waits for it: cancelling has an effect before it begins. */
    @Override
    public Optional<StateDiff> diff(Stack stack, String from, String to, BooleanSupplier cancelled) {
        check(cancelled, "The comparison");
        String path = new RequestQuery(path(stack) + "/diff")
                .with("from", from)
                .with("to", to)
                .toString();
        ServerReply reply = checked(stack, calls.send("the comparison of the " + name(stack), "GET", path));
        return isDone(reply) ? Optional.of(StateJson.changes(reply.body())) : Optional.empty();
    }

    private static void check(BooleanSupplier cancelled, String what) {
        if (cancelled.getAsBoolean()) {
            throw new java.util.concurrent.CancellationException(what + " was cancelled");
        }
    }

    // ---- saving

    @Override
    public SaveOutcome save(Stack stack, LeaseId leaseId, byte[] bytes, Provenance by) {
        return save(stack, underLease(stack, leaseId), Map.of(), bytes, by);
    }

    @Override
    public SaveOutcome saveOver(Stack stack, LeaseId leaseId, Optional<String> loaded, byte[] bytes, Provenance by) {
        return save(stack, underLease(stack, leaseId), over(loaded), bytes, by);
    }

    /** Only if this version is current, or none. */
    private static Map<String, String> over(Optional<String> loaded) {
        return loaded.map(version -> Map.of("If-Match", "\"" + version + "\"")).orElse(Map.of("If-None-Match", "*"));
    }

    @Override
    public SaveOutcome saveUnlocked(Stack stack, byte[] bytes, Provenance by) {
        // Not repeated: without a lease nothing tells a repetition from another save, made after somebody else's.
        return saved(
                stack,
                calls.once("the save of the " + name(stack), "POST", path(stack), Optional.of(bytes)),
                bytes,
                by);
    }

    private static String underLease(Stack stack, LeaseId leaseId) {
        return new RequestQuery(path(stack)).with("ID", leaseId.value()).toString();
    }

    private SaveOutcome save(Stack stack, String path, Map<String, String> condition, byte[] bytes, Provenance by) {
        return saved(
                stack,
                calls.send("the save of the " + name(stack), "POST", path, condition, Optional.of(bytes)),
                bytes,
                by);
    }

    private SaveOutcome saved(Stack stack, ServerReply answer, byte[] bytes, Provenance by) {
        ServerReply reply = checked(stack, answer);
        if (!isDone(reply)) {
            certain(reply, "the save of the " + name(stack));
            return refused(reply, StateRefusal.Reason.NOT_HELD, stack, "is not locked by this lease");
        }
        // The version that the answer names: by now the newest may be somebody else's.
        String version = AnswerFields.text(reply.body(), "version");
        return new SaveOutcome.Saved(recorded(stack, version)
                .orElseGet(() -> StateVersion.found(stack, version, reply.body().number("serial"), by, bytes)));
    }

    // ---- keeping and going back

    @Override
    public Optional<StateVersion> backup(Stack stack) {
        ServerReply reply =
                checked(stack, calls.send("the backup of the " + name(stack), "POST", path(stack) + "/backup"));
        return isDone(reply) ? StateJson.version(stack, reply.body()) : Optional.empty();
    }

    @Override
    public RestoreOutcome restore(Stack stack, String version, Provenance by) {
        return restore(stack, "version", version, Map.of());
    }

    @Override
    public RestoreOutcome restoreOver(Stack stack, Optional<String> seen, String version, Provenance by) {
        return restore(stack, "version", version, over(seen));
    }

    @Override
    public RestoreOutcome restore(Stack stack, PointInTime time, Provenance by) {
        return restore(stack, "timestamp", time.toString(), Map.of());
    }

    private RestoreOutcome restore(Stack stack, String field, String value, Map<String, String> condition) {
        byte[] wish = Json.object().with(field, Json.of(value)).bytes();
        ServerReply reply = checked(
                stack,
                calls.once(
                        "the restore of the " + name(stack),
                        "POST",
                        path(stack) + "/restore",
                        condition,
                        Optional.of(wish)));
        if (reply.status() == 404) {
            return new RestoreOutcome.NoSuchVersion(value);
        }
        if (!isDone(reply)) {
            return refused(reply, StateRefusal.Reason.CONFLICT, stack, "was not restored");
        }
        String made = AnswerFields.text(reply.body(), "version");
        StateVersion now = recorded(stack, made)
                .or(() -> StateJson.version(stack, reply.body()))
                .orElseThrow();
        StateVersion from = field.equals("version") ? recorded(stack, value).orElse(now) : now;
        return new RestoreOutcome.Restored(now, from);
    }

    @Override
    public Verification verify(Stack stack, BooleanSupplier cancelled) {
        check(cancelled, "The check");
        ServerReply reply =
                checked(stack, calls.send("the check of the " + name(stack), "POST", path(stack) + "/verify"));
        return StateJson.verification(stack, reply.body());
    }

    @Override
    public DeleteOutcome delete(Stack stack, Provenance by) {
        return deleted(
                stack, calls.once("the deletion of the " + name(stack), "DELETE", path(stack), Optional.empty()));
    }

    @Override
    public DeleteOutcome delete(Stack stack, LeaseId leaseId, Provenance by) {
        return deleted(stack, calls.send("the deletion of the " + name(stack), "DELETE", underLease(stack, leaseId)));
    }

    private DeleteOutcome deleted(Stack stack, ServerReply reply) {
        if (isDone(reply)) {
            return new DeleteOutcome.Deleted(reply.body().truth("deleted"));
        }
        certain(reply, "the deletion of the " + name(stack));
        return refused(reply, StateRefusal.Reason.LOCKED, stack, "is locked");
    }

    /** A refusal of a repetition tells nothing about the first try, whose answer was lost. */
    private static void certain(ServerReply reply, String what) {
        if (reply.doubted()) {
            throw new OutcomeUnknownException(
                    "It is not known whether " + what
                            + " was made: the first answer was lost, and the repetition was refused ("
                            + reply.problem().detail()
                            + "). Look at the history",
                    null);
        }
    }

    // ---- all stacks

    /** Who holds is asked of the locks themselves. */
    @Override
    public StackPage list(int limit, Optional<String> cursor) {
        String path = new RequestQuery("/state")
                .with("limit", limit)
                .with("cursor", cursor)
                .toString();
        Json.Obj page = calls.get("the listing of stacks", path).body();
        List<Json.Obj> items = page.objects("items");
        Map<String, List<Holder>> holders = holders(items.stream()
                .filter(it -> it.truth("locked"))
                .map(it -> StateJson.stack(it).lock().name())
                .toList());
        return new StackPage(
                items.stream()
                        .map(it -> {
                            Stack stack = StateJson.stack(it);
                            return new StackPage.Item(
                                    stack,
                                    StateJson.version(stack, it),
                                    holders.getOrDefault(stack.lock().name(), List.of()));
                        })
                        .toList(),
                page.text("next_cursor"));
    }

    /** Who holds these locks, from one listing of what is busy; if that is too long, the rest is looked at one by one. */
    private Map<String, List<Holder>> holders(List<String> names) {
        Map<String, List<Holder>> found = new HashMap<>();
        if (names.isEmpty()) {
            return found;
        }
        ScanRequest request = ScanRequest.all()
                .in(Stack.NAMESPACE)
                .startingWith(commonStart(names))
                .busy();
        for (int i = 0; i < LOCK_PAGES; i++) {
            Inspector.Locks page = locks.inspect().list(request);
            page.locks().forEach(lock -> found.put(lock.key().name(), lock.holders()));
            if (page.next().isEmpty()) {
                return found;
            }
            request = request.from(page.next());
        }
        names.forEach(name -> found.computeIfAbsent(
                name, it -> locks.inspect().get(LockKey.of(Stack.NAMESPACE, it)).holders()));
        return found;
    }

    private static String commonStart(List<String> names) {
        String first = Collections.min(names);
        String last = Collections.max(names);
        int same = 0;
        while (same < Math.min(first.length(), last.length()) && first.charAt(same) == last.charAt(same)) {
            same++;
        }
        return first.substring(0, same);
    }

    /** The server sees by itself that a lock has ended. */
    @Override
    public void showLock(Stack stack) {}

    @Override
    public void showLocks() {}

    // ---- what answers mean

    private static boolean isDone(ServerReply reply) {
        return reply.status() < 300;
    }

    /** An answer about the document; what cannot be read or kept is thrown as in a process of its own. */
    private static ServerReply checked(Stack stack, ServerReply reply) {
        String detail = reply.problem().detail();
        return switch (reply.status()) {
            case 500 ->
                throw new StateCorruptException(
                        stack,
                        reply.body().text("version").orElse(""),
                        reply.body().text("last_good"),
                        detail);
            case 400, 413 ->
                throw reply.problem().code().equals("invalid-request")
                        ? new IllegalArgumentException(detail)
                        : new StateInvalidException(detail);
            case 422, 428 -> throw new IllegalArgumentException(detail);
            default -> reply;
        };
    }

    private static StateRefusal refused(ServerReply reply, StateRefusal.Reason usual, Stack stack, String what) {
        if (reply.status() == 404) {
            throw new StoreUnusableException("the server knows no " + name(stack) + " to act on", null);
        }
        return StateJson.refused(
                reply.body(),
                reply.status() == 423 ? StateRefusal.Reason.LOCKED : usual,
                "State of stack '" + stack.name() + "' in '" + stack.environment() + "' " + what);
    }

    @Override
    public void close() {
        try {
            calls.close();
        } finally {
            if (owned) {
                locks.close();
            }
        }
    }
}
