package dev.holdfast.server.state;

import dev.holdfast.model.EventType;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.state.terraform.LockAttempt;
import dev.holdfast.state.terraform.SaveBase;
import dev.holdfast.state.terraform.TerraformLockInfo;
import dev.holdfast.state.terraform.TerraformLocks;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The protocol of terraform's HTTP backend, on {@code /state/{stack}/{environment}}: translates between it and
 * {@link TerraformLocks}.
 */
record TerraformRoutes(StateCalls calls, TerraformLocks locks) {
    // ---- the document

    CompletableFuture<Reply> get(Call call) {
        id(call); // an address for saves under a certain lock is also read from; reading needs no lock
        return calls.about(
                call,
                Role.STATE_READ,
                asker -> calls.states()
                        .load(asker.stack())
                        .map(state -> read(asker, state))
                        .orElseThrow(() -> StateProblems.noState(asker.stack())));
    }

    private Reply read(StateCalls.StackCaller asker, LoadedState state) {
        return read(calls, asker, state, state.version().version());
    }

    /** The bytes of a version and what is known of it; noted as a read of state. */
    static Reply read(StateCalls calls, StateCalls.StackCaller asker, LoadedState state, String name) {
        String version = state.version().version();
        calls.trail()
                .record(AuditEntry.done(
                        AuditEntry.Action.STATE_READ, asker.caller(), asker.resource(), Map.of("version", version)));
        Reply reply =
                Reply.bytes(200, Reply.JSON, Buffer.buffer(state.content())).header("ETag", "\"" + name + "\"");
        return StateJson.header(state.version())
                .map(known -> reply.header(StateJson.VERSION_HEADER, known))
                .orElse(reply);
    }

    CompletableFuture<Reply> save(Call call) {
        Optional<String> id = id(call);
        Optional<String> md5 = call.header("Content-MD5");
        Optional<SaveBase> base = base(call);
        byte[] bytes = call.document();
        return calls.about(call, Role.STATE, asker -> {
            md5.ifPresent(expected -> checkMd5(bytes, expected));
            calls.quota().check(asker.stack());
            SaveOutcome outcome = id.map(given -> locks.save(asker.lockCaller(), asker.stack(), given, base, bytes))
                    .orElseGet(() -> saveUnlocked(asker, base, bytes));
            if (outcome instanceof StateRefusal refused) {
                throw StateProblems.notSaved(refused, locks.holder(asker.stack()));
            }
            calls.quota().saved(asker.stack());
            return saved(
                    outcome instanceof SaveOutcome.Saved done
                            ? done.version()
                            : ((SaveOutcome.Repeated) outcome).version());
        });
    }

    private SaveOutcome saveUnlocked(StateCalls.StackCaller asker, Optional<SaveBase> base, byte[] bytes) {
        if (base.isPresent()) {
            throw Problem.invalid("If-Match and If-None-Match need the ID of a lock: lock the state first");
        }
        Provenance by = Provenance.of(asker.principal().name(), "without a lock");
        return calls.states().saveUnlocked(asker.stack(), bytes, by);
    }

    /** Told as HTTP has it: {@code If-Match} with the ETag that GET gave, or {@code If-None-Match: *}. */
    static Optional<SaveBase> base(Call call) {
        Optional<String> match = call.header("If-Match").map(String::strip);
        Optional<String> none = call.header("If-None-Match").map(String::strip);
        boolean wrong = match.filter(it -> !it.matches("\"[^\"]{1,100}\"")).isPresent()
                || none.filter(it -> !it.equals("*")).isPresent()
                || (match.isPresent() && none.isPresent());
        if (wrong) {
            throw Problem.invalid(
                    "If-Match must be one ETag in quotes, as GET gave it, or If-None-Match must be *, not both");
        }
        return match.map(it -> new SaveBase(Optional.of(it.substring(1, it.length() - 1))))
                .or(() -> none.map(it -> new SaveBase(Optional.empty())));
    }

    private static Reply saved(StateVersion version) {
        return Reply.ok(json -> StateJson.version(json, version));
    }

    private static void checkMd5(byte[] bytes, String expected) {
        try {
            byte[] sum = MessageDigest.getInstance("MD5").digest(bytes);
            if (!MessageDigest.isEqual(sum, Base64.getDecoder().decode(expected))) {
                throw Problem.invalid("Content-MD5 is not that of the body: it was damaged in transit. Send it again");
            }
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("Content-MD5 must be an MD5 sum in Base64");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    CompletableFuture<Reply> delete(Call call) {
        Optional<String> id = id(call);
        return calls.about(call, Role.STATE, asker -> {
            DeleteOutcome outcome = locks.delete(asker.lockCaller(), asker.stack(), id);
            if (outcome instanceof StateRefusal refused) {
                throw StateProblems.notDone(refused, locks.holder(asker.stack()));
            }
            return deleted(asker, ((DeleteOutcome.Deleted) outcome).existed());
        });
    }

    private Reply deleted(StateCalls.StackCaller asker, boolean existed) {
        Stack stack = asker.stack();
        calls.quota().deleted(stack);
        if (existed) {
            calls.trail()
                    .changed(
                            EventType.STATE_DELETED,
                            stack.lock().record(),
                            asker.caller(),
                            Map.of("stack", stack.name(), "environment", stack.environment()));
        }
        return Reply.ok(json -> json.writeBooleanField("deleted", existed));
    }

    // ---- the lock

    CompletableFuture<Reply> lock(Call call) {
        call.query().check();
        StateCalls.StackCaller asker = StateCalls.asker(call, Role.STATE);
        TerraformLockInfo info = lockInfo(call.document());
        if (!info.isLockable()) {
            throw Problem.invalid("the LockInfo needs an ID of 8 to 128 letters, digits, '_' and '-'");
        }
        calls.locks().admit(call, asker.stack().lock().record());
        return locks.lock(asker.lockCaller(), asker.stack(), info, new CallWaiting(calls, call))
                .thenApply(attempt -> answer(info, attempt));
    }

    private static TerraformLockInfo lockInfo(byte[] body) {
        try {
            return TerraformLockInfo.parse(body);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static Reply answer(TerraformLockInfo info, LockAttempt attempt) {
        if (attempt instanceof LockAttempt.Over over) {
            String how = over.how().name().toLowerCase(Locale.ROOT);
            throw Problem.of(
                            409,
                            "lease-lost",
                            "The lock with this ID has ended (" + how
                                    + ") and cannot be taken again. Start again, with a new ID")
                    .with("reason", how)
                    .with("ID", info.id())
                    .refused();
        }
        if (attempt instanceof LockAttempt.Refused refused) {
            throw StateProblems.notClaimed(refused.why());
        }
        return attempt instanceof LockAttempt.Held held
                ? Reply.bytes(423, Reply.JSON, Buffer.buffer(held.lockInfo()))
                : Reply.bytes(200, Reply.JSON, Buffer.buffer(info.raw()));
    }

    CompletableFuture<Reply> unlock(Call call) {
        Optional<String> named = id(call);
        byte[] body = call.document();
        return calls.about(call, Role.STATE, asker -> {
            if (body.length == 0 && named.isEmpty()) {
                return unlocked(locks.forceUnlock(asker.lockCaller(), asker.stack()));
            }
            String id = body.length == 0 ? named.orElse("") : lockInfo(body).id();
            return locks.unlock(asker.lockCaller(), asker.stack(), id)
                    .map(TerraformRoutes::unlocked)
                    .orElseThrow(() -> notLocked(asker.stack()));
        });
    }

    private Problem.Refused notLocked(Stack stack) {
        Optional<byte[]> holder = locks.holder(stack);
        String now = holder.isPresent() ? "another ID holds it; it was left alone" : "it is free";
        StateRefusal why = new StateRefusal(
                StateRefusal.Reason.NOT_HELD,
                "The lock of stack '" + stack.name() + "' in '" + stack.environment() + "' is not held with this ID; "
                        + now,
                Optional.empty(),
                List.of());
        return StateProblems.notUnlocked(why, holder);
    }

    private static Reply unlocked(boolean was) {
        return Reply.ok(json -> json.writeBooleanField("unlocked", was));
    }

    private static Optional<String> id(Call call) {
        Query query = call.query();
        Optional<String> id = query.text("ID", text -> text);
        query.check();
        return id;
    }
}
