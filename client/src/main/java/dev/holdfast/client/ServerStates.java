package dev.holdfast.client;

import static dev.holdfast.client.StateReplies.certain;
import static dev.holdfast.client.StateReplies.checked;
import static dev.holdfast.client.StateReplies.isDone;
import static dev.holdfast.client.StateReplies.name;
import static dev.holdfast.client.StateReplies.refused;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.DeployLocks;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.document.StateDiff;
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
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.Json;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * State kept by a server, through the routes that Terraform uses and some more. The server writes down who saved:
 * whoever is logged in there, with the name the lease was taken in; a {@link Provenance} given here only has to be one.
 * It does not say whether a save was a repeat, so {@link SaveOutcome.Repeated} is never returned; a repeat still makes
 * no second version.
 */
public final class ServerStates implements StateManager {
    /**
     * Versions among which the one that was read or saved is looked for, where an older server does not tell of it at once; more are
     * hardly saved before that look.
     */
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
        if (isDone(checked(stack, reply, 409, 423))) {
            return new ClaimOutcome.Claimed(token);
        }
        return reply.problem().code().equals("lease-lost")
                ? new StateRefusal(
                        StateRefusal.Reason.NOT_HELD,
                        reply.problem().detail(),
                        Optional.of(LeaseJson.reason(reply.body())),
                        List.of())
                : refused(reply, StateRefusal.Reason.FENCED, stack, "is locked by another");
    }

    // ---- reading

    @Override
    public Optional<LoadedState> load(Stack stack) {
        return loaded(stack, "the look at the " + name(stack), path(stack));
    }

    @Override
    public Optional<LoadedState> version(Stack stack, String version) {
        if (!canBeName(version)) {
            return Optional.empty();
        }
        return loaded(
                stack,
                "the look at version '" + version + "' of the " + name(stack),
                path(stack) + "/versions/" + Calls.escaped(version));
    }

    private Optional<LoadedState> loaded(Stack stack, String what, String path) {
        ServerReply reply = checked(stack, calls.get(what, path), 404);
        if (!isDone(reply)) {
            return Optional.empty();
        }
        String version = version(reply);
        StateVersion known = reply.headers()
                .firstValue(StateJson.VERSION_HEADER)
                .flatMap(header -> StateJson.header(stack, header))
                .filter(it -> it.version().equals(version))
                .or(() -> recorded(stack, version))
                .orElseGet(() -> StateVersion.found(stack, version, Optional.empty(), FOUND, reply.bytes()));
        return Optional.of(new LoadedState(known, reply.bytes()));
    }

    /** No version is called like a step of a path. */
    private static boolean canBeName(String version) {
        return !version.isBlank() && !version.startsWith(".");
    }

    private static String version(ServerReply reply) {
        return reply.headers().firstValue("ETag").orElse("").replace("\"", "");
    }

    /**
     * What the history says of a version, where an older server said only its name. It was read or made already: whatever becomes of this
     * look must not be taken for what became of that.
     */
    private Optional<StateVersion> recorded(Stack stack, String version) {
        try {
            return history(stack, RECENT, Optional.empty()).versions().stream()
                    .filter(it -> it.version().equals(version))
                    .findFirst();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The history says which is current to all who may see which versions there are, and its bytes are not read for that. */
    @Override
    public Optional<StateVersion> current(Stack stack) {
        Json.Obj page = page(stack, 1, Optional.empty());
        if (page.text("current").isPresent()) {
            return versions(stack, page).findFirst().or(() -> found(stack));
        }
        try {
            return found(stack);
        } catch (AccessRefusedException e) {
            return Optional.empty(); // none that was saved here
        }
    }

    /** A document that others put there is in no history yet, and tells nothing about itself unless it is read. */
    private Optional<StateVersion> found(Stack stack) {
        return load(stack).map(LoadedState::version);
    }

    @Override
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        Json.Obj page = page(stack, limit, cursor);
        return new HistoryPage(versions(stack, page).toList(), page.text("next_cursor"));
    }

    private Json.Obj page(Stack stack, int limit, Optional<String> cursor) {
        String path = new RequestQuery(path(stack) + "/history")
                .with("limit", limit)
                .with("cursor", cursor)
                .toString();
        return checked(stack, calls.get("the history of the " + name(stack), path))
                .body();
    }

    private static Stream<StateVersion> versions(Stack stack, Json.Obj page) {
        return page.objects("items").stream().flatMap(it -> StateJson.version(stack, it).stream());
    }

    /** The server compares, as long as somebody waits for it: cancelling has an effect before it begins. */
    @Override
    public Optional<StateDiff> diff(Stack stack, String from, String to, BooleanSupplier cancelled) {
        check(cancelled, "The comparison");
        if (!canBeName(from) || !canBeName(to)) { // the server would take its own choice
            return Optional.empty();
        }
        String path = new RequestQuery(path(stack) + "/diff")
                .with("from", from)
                .with("to", to)
                .toString();
        ServerReply reply = checked(stack, calls.send("the comparison of the " + name(stack), "GET", path), 404);
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
        certain(answer, "the save of the " + name(stack));
        ServerReply reply = checked(stack, answer, 404, 409, 423);
        if (!isDone(reply)) {
            return refused(reply, StateRefusal.Reason.NOT_HELD, stack, "is not locked by this lease");
        }
        // The version that the answer names: by now the newest may be somebody else's.
        String version = AnswerFields.text(reply.body(), "version");
        return new SaveOutcome.Saved(StateJson.whole(stack, reply.body())
                .or(() -> recorded(stack, version))
                .orElseGet(() -> StateVersion.found(stack, version, reply.body().number("serial"), by, bytes)));
    }

    // ---- keeping and going back

    @Override
    public Optional<StateVersion> backup(Stack stack) {
        ServerReply reply =
                checked(stack, calls.send("the backup of the " + name(stack), "POST", path(stack) + "/backup"), 404);
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
        String what = "the restore of the " + name(stack);
        ServerReply answer = calls.once(what, "POST", path(stack) + "/restore", condition, Optional.of(wish));
        certain(answer, what);
        ServerReply reply = checked(stack, answer, 404, 409, 423);
        if (reply.status() == 404) {
            return new RestoreOutcome.NoSuchVersion(value);
        }
        if (!isDone(reply)) {
            return refused(reply, StateRefusal.Reason.CONFLICT, stack, "was not restored");
        }
        return StateJson.restored(stack, reply.body()).orElseGet(() -> restored(stack, field, value, reply.body()));
    }

    /** Of an older server, which says only what the new version is called: of the other not even that if it was meant by its time. */
    private RestoreOutcome.Restored restored(Stack stack, String field, String value, Json.Obj answer) {
        String made = AnswerFields.text(answer, "version");
        StateVersion now =
                recorded(stack, made).or(() -> StateJson.version(stack, answer)).orElseThrow();
        StateVersion from =
                field.equals("version") ? recorded(stack, value).orElseGet(() -> StateJson.named(stack, value)) : now;
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
                stack,
                calls.once("the deletion of the " + name(stack), "DELETE", path(stack), Optional.empty()),
                false);
    }

    @Override
    public DeleteOutcome delete(Stack stack, LeaseId leaseId, Provenance by) {
        // Looked at before: a repetition finds nothing, also where the first try, whose answer was lost, deleted it.
        boolean existed = exists(stack);
        return deleted(
                stack, calls.send("the deletion of the " + name(stack), "DELETE", underLease(stack, leaseId)), existed);
    }

    /** Also what others put there, which is in no history. */
    private boolean exists(Stack stack) {
        if (page(stack, 1, Optional.empty()).text("current").isPresent()) {
            return true;
        }
        ServerReply reply = calls.send("the look at the " + name(stack), "HEAD", path(stack));
        return isDone(reply) || reply.status() == 500; // what is damaged is there
    }

    /** @param existed whether there was one before the first try; under a lease, only its holder can have deleted it since */
    private DeleteOutcome deleted(Stack stack, ServerReply answer, boolean existed) {
        certain(answer, "the deletion of the " + name(stack));
        ServerReply reply = checked(stack, answer, 404, 409, 423);
        if (isDone(reply)) {
            return new DeleteOutcome.Deleted(reply.body().truth("deleted") || (reply.doubted() && existed));
        }
        return refused(reply, StateRefusal.Reason.LOCKED, stack, "is locked");
    }

    // ---- all stacks

    /** Who holds is asked of the locks themselves. */
    @Override
    public StackPage list(int limit, Optional<String> cursor) {
        String path = new RequestQuery("/state")
                .with("limit", limit)
                .with("cursor", cursor)
                .toString();
        Json.Obj page = checked(calls.get("the listing of stacks", path)).body();
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
