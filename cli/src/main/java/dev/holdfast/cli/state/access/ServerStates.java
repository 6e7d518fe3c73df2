package dev.holdfast.cli.state.access;

import dev.holdfast.Lease;
import dev.holdfast.documents.Sha256;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.state.ClaimOutcome;
import dev.holdfast.state.HistoryPage;
import dev.holdfast.state.Provenance;
import dev.holdfast.state.Refused;
import dev.holdfast.state.RestoreOutcome;
import dev.holdfast.state.SaveOutcome;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateVersion;
import dev.holdfast.state.Verification;
import dev.holdfast.wire.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** State behind a server, by the routes that terraform uses and those beside them. */
public final class ServerStates implements States {
    private static final byte[] NOTHING = {};
    /** Versions among which a save looks for its own; more are hardly saved before it looks. */
    private static final int RECENT = 20;

    /** What is said of a document that others put there. */
    private static final Provenance FOUND = Provenance.of("unknown", "found");

    private final StateServer server;

    ServerStates(StateServer server) {
        this.server = server;
    }

    /** The path of a stack at any server; its names need no escaping. */
    public static String path(Stack stack) {
        return "/state/" + stack.name() + "/" + stack.environment();
    }

    // ---- reading

    @Override
    public Page list(int limit, Optional<String> cursor) {
        Json.Obj page =
                found(server.get("/state?limit=" + limit + cursor(cursor))).object();
        List<Item> items = StateJson.objects(page, "items").stream()
                .map(it -> {
                    Stack stack = new Stack(
                            StateJson.text(it, "stack").orElse(""),
                            StateJson.text(it, "environment").orElse(""));
                    return new Item(stack, StateJson.version(stack, it));
                })
                .toList();
        return new Page(items, StateJson.text(page, "next_cursor"));
    }

    @Override
    public Optional<StateVersion> current(Stack stack) {
        return server.has(path(stack)) ? newest(stack).or(() -> unrecorded(stack)) : Optional.empty();
    }

    private Optional<StateVersion> newest(Stack stack) {
        return history(stack, 1, Optional.empty()).versions().stream().findFirst();
    }

    /** A document that others put there is in no history yet, and tells nothing about itself unless it is read. */
    private Optional<StateVersion> unrecorded(Stack stack) {
        return loaded(stack).map(it -> told(stack, it.version(), Optional.empty(), FOUND, it.bytes()));
    }

    /** What the bytes of a version tell of it. */
    private static StateVersion told(Stack stack, String version, Optional<Long> serial, Provenance by, byte[] bytes) {
        StateHead head = head(bytes);
        return new StateVersion(
                stack,
                version,
                serial.or(head::serial).orElse(0L),
                head.lineage(),
                Instant.EPOCH,
                by.by(),
                bytes.length,
                Sha256.of(bytes),
                by.operation(),
                Optional.empty(),
                Token.NONE);
    }

    private static StateHead head(byte[] bytes) {
        try {
            return StateHead.of("What the server has", bytes);
        } catch (IllegalArgumentException e) {
            return new StateHead(Optional.empty(), Optional.empty()); // no JSON: it has neither
        }
    }

    @Override
    public Optional<Loaded> loaded(Stack stack) {
        StateServer.Answer answer = server.get(path(stack));
        return answer.isDone() ? Optional.of(new Loaded(answer.etag(), answer.body())) : Optional.empty();
    }

    @Override
    public Optional<byte[]> load(Stack stack, String version) {
        return bytes(server.get(path(stack) + "/versions/" + escaped(version)));
    }

    private static Optional<byte[]> bytes(StateServer.Answer answer) {
        return answer.isDone() ? Optional.of(answer.body()) : Optional.empty();
    }

    @Override
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        StateServer.Answer answer = server.get(path(stack) + "/history?limit=" + limit + cursor(cursor));
        if (answer.status() == 404) {
            return new HistoryPage(List.of(), Optional.empty());
        }
        Json.Obj page = answer.object();
        return new HistoryPage(
                StateJson.objects(page, "items").stream()
                        .flatMap(it -> StateJson.version(stack, it).stream())
                        .toList(),
                StateJson.text(page, "next_cursor"));
    }

    private static String cursor(Optional<String> cursor) {
        return cursor.map(it -> "&cursor=" + escaped(it)).orElse("");
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    // ---- changing

    /** The server claims for whoever sends {@code LOCK}, also for the one that holds already. */
    @Override
    public ClaimOutcome claim(Stack stack, Lease lease, String owner) {
        Json.Obj info = Json.object()
                .with("ID", Json.of(lease.leaseId().value()))
                .with("Operation", Json.of("holdfast"))
                .with("Who", Json.of(owner));
        StateServer.Answer answer = server.send("LOCK", path(stack), info.bytes());
        return answer.isDone()
                ? new ClaimOutcome.Claimed(lease.token())
                : refused(
                        answer,
                        Refused.Reason.FENCED,
                        "State of stack '" + stack.name() + "' in '" + stack.environment() + "' is locked by another");
    }

    @Override
    public SaveOutcome save(Stack stack, LeaseId lease, byte[] bytes, Provenance by) {
        return save(stack, lease, Map.of(), bytes, by);
    }

    @Override
    public SaveOutcome saveOver(Stack stack, LeaseId lease, Optional<String> loaded, byte[] bytes, Provenance by) {
        return save(
                stack,
                lease,
                loaded.map(version -> Map.of("If-Match", "\"" + version + "\"")).orElse(Map.of("If-None-Match", "*")),
                bytes,
                by);
    }

    /** The server sees by itself that a lock has ended. */
    @Override
    public void showLock(Stack stack) {}

    private SaveOutcome save(Stack stack, LeaseId lease, Map<String, String> condition, byte[] bytes, Provenance by) {
        StateServer.Answer answer =
                server.send("POST", path(stack) + "?ID=" + escaped(lease.value()), condition, bytes);
        if (!answer.isDone()) {
            return refused(
                    answer,
                    Refused.Reason.NOT_HELD,
                    "State of stack '" + stack.name() + "' in '" + stack.environment()
                            + "' is not locked by this lease");
        }
        return new SaveOutcome.Saved(saved(stack, answer.object(), bytes, by));
    }

    /** The version that the answer names: by now the newest may be somebody else's. */
    private StateVersion saved(Stack stack, Json.Obj answer, byte[] bytes, Provenance by) {
        String version = StateJson.text(answer, "version")
                .orElseThrow(() -> new StateServer.StateFailure("The server knows no version of what it saved"));
        return history(stack, RECENT, Optional.empty()).versions().stream()
                .filter(it -> it.version().equals(version))
                .findFirst()
                .orElseGet(() -> told(stack, version, StateJson.number(answer, "serial"), by, bytes));
    }

    private static Refused refused(StateServer.Answer answer, Refused.Reason reason, String what) {
        Json.Obj body = answer.object();
        Refused.Reason why = StateJson.text(body, "reason")
                .flatMap(label -> Arrays.stream(Refused.Reason.values())
                        .filter(it -> it.label().equals(label))
                        .findFirst())
                .orElse(answer.status() == 423 ? Refused.Reason.LOCKED : reason);
        String message = StateJson.text(body, "detail")
                .orElse(what
                        + StateJson.text(body, "Who").map(it -> " (" + it + ")").orElse(""));
        return new Refused(why, message, Optional.empty(), List.of());
    }

    @Override
    public Optional<StateVersion> backup(Stack stack) {
        StateServer.Answer answer = server.send("POST", path(stack) + "/backup", NOTHING);
        return answer.isDone() ? StateJson.version(stack, answer.object()) : Optional.empty();
    }

    @Override
    public RestoreOutcome restore(Stack stack, String version, Provenance by) {
        Json.Obj wish = Json.object().with("version", Json.of(version));
        StateServer.Answer answer = server.send("POST", path(stack) + "/restore", wish.bytes());
        if (answer.status() == 404) {
            return new RestoreOutcome.NoSuchVersion(version);
        }
        if (!answer.isDone()) {
            return refused(
                    answer,
                    Refused.Reason.CONFLICT,
                    "State of stack '" + stack.name() + "' in '" + stack.environment() + "' was not restored");
        }
        StateVersion now = StateJson.version(stack, answer.object())
                .orElseThrow(() -> new StateServer.StateFailure("The server knows no version of what it restored"));
        return new RestoreOutcome.Restored(now, now);
    }

    @Override
    public Verification verify(Stack stack) {
        Json.Obj found =
                found(server.send("POST", path(stack) + "/verify", NOTHING)).object();
        List<Verification.Damage> damaged = StateJson.objects(found, "damaged").stream()
                .map(it -> new Verification.Damage(
                        StateJson.text(it, "version").orElse(""),
                        StateJson.truth(it, "current"),
                        StateJson.text(it, "problem").orElse("")))
                .toList();
        int checked = StateJson.number(found, "checked").orElse(0L).intValue();
        return new Verification(stack, checked, damaged, StateJson.text(found, "last_good"));
    }

    private static StateServer.Answer found(StateServer.Answer answer) {
        if (!answer.isDone()) {
            throw new StateServer.StateFailure(
                    StateJson.text(answer.object(), "detail").orElse("The server answered " + answer.status()));
        }
        return answer;
    }

    @Override
    public void close() {
        // Connections end with the process; there is nothing to give back.
    }
}
