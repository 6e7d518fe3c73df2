package dev.holdfast.server.state;

import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.model.Scope;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Later;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Refused;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of terraform's HTTP backend, on {@code /state/{stack}/{environment}}. Whatever answer is lost, the call can be sent
 * again: a lock that is held by this ID is granted again, a state that was saved is not saved twice, a lock that was released stays
 * released.
 */
final class TerraformRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(TerraformRoutes.class);

    private final StateCalls calls;
    private final StackLocks locks;
    private final ForceUnlock force;

    TerraformRoutes(StateCalls calls, StackLocks locks, ForceUnlock force) {
        this.calls = calls;
        this.locks = locks;
        this.force = force;
    }

    // ---- the document

    CompletableFuture<Reply> get(Call call) {
        id(call); // an address for saves under a certain lock is also read from; reading needs no lock
        return calls.about(
                call,
                Role.STATE_READ,
                asker -> calls.states()
                        .load(asker.stack())
                        .map(state -> read(asker, state))
                        .orElseThrow(() -> StateProblems.noState(asker.stack()).refused()));
    }

    private Reply read(StateCalls.Asker asker, LoadedState state) {
        String version = state.version().version();
        calls.trail()
                .record(AuditEntry.done(
                        AuditEntry.Action.STATE_READ, asker.caller(), asker.resource(), Map.of("version", version)));
        return Reply.bytes(200, Reply.JSON, Buffer.buffer(state.content())).header("ETag", "\"" + version + "\"");
    }

    CompletableFuture<Reply> save(Call call) {
        Optional<String> id = id(call);
        Optional<String> md5 = call.header("Content-MD5");
        Optional<Base> base = base(call);
        byte[] bytes = call.document();
        return calls.about(call, Role.STATE, asker -> {
            md5.ifPresent(expected -> checkMd5(bytes, expected));
            calls.quota().check(asker.stack());
            SaveOutcome outcome =
                    id.isPresent() ? save(asker, id.get(), base, bytes) : saveUnlocked(asker, base, bytes);
            if (outcome instanceof Refused refused) {
                throw StateProblems.notSaved(refused, locks.holder(asker.stack()))
                        .refused();
            }
            calls.quota().saved(asker.stack());
            return saved(
                    outcome instanceof SaveOutcome.Saved done
                            ? done.version()
                            : ((SaveOutcome.Repeated) outcome).version());
        });
    }

    private SaveOutcome save(StateCalls.Asker asker, String id, Optional<Base> base, byte[] bytes) {
        if (!LockIds.isId(id)) {
            refusedUnknown(asker, bytes.length);
            throw Problem.of(
                            409,
                            "state-refused",
                            "The ID of the request cannot be of a lock: 8 to 128 letters, digits, '_' and '-'."
                                    + " Nothing was saved; lock the state first")
                    .with("reason", Refused.Reason.NOT_HELD.label())
                    .refused();
        }
        Stack stack = asker.stack();
        LockRecord record = locks.record(stack);
        Optional<Hold> hold = LockIds.hold(record, id);
        hold.ifPresent(held -> own(asker, held));
        LeaseId lease = LockIds.lease(record, id, none -> false);
        String who = hold.map(Hold::owner).orElse("");
        String operation = hold.map(held -> held.terms().reason()).orElse("");
        // The id of a lease that was taken in another way is its holder's secret; terraform's is shown to all.
        boolean shown = hold.isEmpty() || TerraformLockInfo.isNamed(hold.get());
        Provenance by =
                new Provenance(by(asker, who), operation, Optional.of(id).filter(it -> shown));
        if (base.isEmpty() && hold.filter(it -> !it.scope().equals(Scope.WHOLE)).isPresent()) {
            throw Problem.of(
                            428,
                            "version-needed",
                            "This ID holds a part of the stack, and others save other parts. Say with If-Match: \"VERSION\""
                                    + " which version the change was made from, or with If-None-Match: * that there was none."
                                    + " Nothing was saved")
                    .refused();
        }
        SaveOutcome outcome = base.isPresent()
                ? calls.states().saveOver(stack, lease, base.get().version(), bytes, by)
                : hold.map(held -> calls.states().save(stack, held, bytes, by)) // the lock was read just now
                        .orElseGet(() -> calls.states().save(stack, lease, bytes, by));
        if (outcome instanceof SaveOutcome.Saved) {
            locks.alive(stack, lease);
        }
        return outcome;
    }

    /** An ID that is shown to all who look is no proof of holding the lock. */
    private static void own(StateCalls.Asker asker, Hold hold) {
        if (!asker.mayActOn(hold)) {
            throw Problem.of(
                            403,
                            "not-yours",
                            "The lock with this ID was taken by '"
                                    + hold.terms().account().name() + "', not by '"
                                    + asker.principal().name() + "'. Nothing was changed; take the lock yourself")
                    .refused();
        }
    }

    private SaveOutcome saveUnlocked(StateCalls.Asker asker, Optional<Base> base, byte[] bytes) {
        if (base.isPresent()) {
            throw Problem.invalid("If-Match and If-None-Match go with the ID of a lock: lock the state first")
                    .refused();
        }
        return calls.states().saveUnlocked(asker.stack(), bytes, Provenance.of(by(asker, ""), "without a lock"));
    }

    /**
     * What a change was made from.
     *
     * @param version which; empty: there was no state
     */
    private record Base(Optional<String> version) {}

    /** Told as HTTP has it: {@code If-Match} with the ETag that GET gave, or {@code If-None-Match: *}. */
    private static Optional<Base> base(Call call) {
        Optional<String> match = call.header("If-Match").map(String::strip);
        Optional<String> none = call.header("If-None-Match").map(String::strip);
        boolean wrong = match.filter(it -> !it.matches("\"[^\"]{1,100}\"")).isPresent()
                || none.filter(it -> !it.equals("*")).isPresent()
                || (match.isPresent() && none.isPresent());
        if (wrong) {
            throw Problem.invalid(
                            "If-Match must be one ETag in quotes, as GET gave it, or If-None-Match must be *, not both")
                    .refused();
        }
        return match.map(it -> new Base(Optional.of(it.substring(1, it.length() - 1))))
                .or(() -> none.map(it -> new Base(Optional.empty())));
    }

    private static Reply saved(StateVersion version) {
        return Reply.ok(json -> {
            json.writeStringField("version", version.version());
            json.writeNumberField("serial", version.serial());
        });
    }

    /** Who is known to the server, with what it calls itself. */
    private static String by(StateCalls.Asker asker, String who) {
        String name = asker.principal().name();
        if (who.isEmpty() || who.equals(name)) {
            return name;
        }
        return asker.principal().isAnonymous() ? who : name + " (" + who + ")";
    }

    private static void checkMd5(byte[] bytes, String expected) {
        try {
            byte[] sum = MessageDigest.getInstance("MD5").digest(bytes);
            if (!MessageDigest.isEqual(sum, Base64.getDecoder().decode(expected))) {
                throw Problem.invalid("Content-MD5 is not that of the body: it was damaged on its way. Send it again")
                        .refused();
            }
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("Content-MD5 must be an MD5 sum in Base64").refused();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    /** An ID that no lock can have is refused before the library sees it, and recorded all the same. */
    private void refusedUnknown(StateCalls.Asker asker, int size) {
        Note note = Note.of(
                EventType.STATE_REFUSED,
                asker.principal().name(),
                "the ID of the request cannot be of a lock",
                Map.of("reason", Refused.Reason.NOT_HELD.label(), "size", Integer.toString(size)));
        Later.then(
                calls.locks().engine().remember(asker.stack().lock().record(), note, asker.cause()),
                (done, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "A refused save of stack {} could not be noted: {}",
                                asker.stack(),
                                failure.getMessage());
                    }
                });
    }

    CompletableFuture<Reply> delete(Call call) {
        Optional<String> id = id(call).filter(LockIds::isId);
        return calls.about(call, Role.STATE, asker -> {
            Provenance by = Provenance.of(by(asker, ""), "delete");
            Stack stack = asker.stack();
            LockRecord record = locks.record(stack);
            id.flatMap(given -> LockIds.hold(record, given)).ifPresent(held -> own(asker, held));
            DeleteOutcome outcome = id.map(given -> calls.states()
                            .delete(stack, LockIds.lease(record, given, none -> false), by.withLockId(given)))
                    .orElseGet(() -> calls.states().delete(stack, by));
            if (outcome instanceof Refused refused) {
                if (wasReleased(refused)) {
                    return deleted(asker, by); // by its own holder, and the stack is free
                }
                throw StateProblems.notDone(refused, locks.holder(stack)).refused();
            }
            return deleted(asker, ((DeleteOutcome.Deleted) outcome).existed());
        });
    }

    /** An ID that lost its lock may not delete what it may not save either; one that gave it back is like none. */
    private static boolean wasReleased(Refused refused) {
        return refused.holders().isEmpty()
                && refused.lost()
                        .filter(how -> how == LostReason.RELEASED || how == LostReason.ABANDONED)
                        .isPresent();
    }

    private Reply deleted(StateCalls.Asker asker, Provenance by) {
        DeleteOutcome outcome = calls.states().delete(asker.stack(), by);
        if (outcome instanceof Refused refused) {
            throw StateProblems.notDone(refused, locks.holder(asker.stack())).refused();
        }
        return deleted(asker, ((DeleteOutcome.Deleted) outcome).existed());
    }

    private Reply deleted(StateCalls.Asker asker, boolean existed) {
        calls.quota().deleted(asker.stack());
        if (existed) {
            calls.trail()
                    .changed(
                            EventType.STATE_DELETED,
                            asker.stack().lock().record(),
                            asker.caller(),
                            Map.of(
                                    "stack",
                                    asker.stack().name(),
                                    "environment",
                                    asker.stack().environment()));
        }
        return Reply.ok(json -> json.writeBooleanField("deleted", existed));
    }

    // ---- the lock

    CompletableFuture<Reply> lock(Call call) {
        call.query().check();
        StateCalls.Asker asker = StateCalls.asker(call, Role.STATE);
        TerraformLockInfo info = TerraformLockInfo.parse(call.document());
        if (!LockIds.isId(info.id())) {
            throw Problem.invalid("the LockInfo needs an ID of 8 to 128 letters, digits, '_' and '-'")
                    .refused();
        }
        calls.locks().admit(call, asker.stack().lock().record());
        return locks.take(call, asker, info)
                .thenApply(taking -> taking.fold(
                        taken -> Reply.bytes(200, Reply.JSON, Buffer.buffer(info.raw())),
                        held -> Reply.bytes(423, Reply.JSON, held.lockInfo()),
                        over -> {
                            throw over(info, over).refused();
                        }));
    }

    private static Problem over(TerraformLockInfo info, Taking.Over over) {
        String how = over.how().name().toLowerCase(Locale.ROOT);
        return Problem.of(
                        409,
                        "lease-lost",
                        "The lock with this ID has ended (" + how + ") and cannot be taken again. Start anew, with a"
                                + " new ID")
                .with("reason", how)
                .with("ID", info.id());
    }

    CompletableFuture<Reply> unlock(Call call) {
        Optional<String> named = id(call);
        byte[] body = call.document();
        return calls.about(call, Role.STATE, asker -> {
            if (body.length == 0 && named.isEmpty()) {
                int ended = force.end(asker.stack(), asker.cause());
                return unlocked(ended > 0);
            }
            String id = body.length == 0
                    ? named.orElse("")
                    : TerraformLockInfo.parse(body).id();
            Optional<Hold> held = LockIds.hold(locks.record(asker.stack()), id);
            if (held.isPresent() && !asker.mayActOn(held.get())) {
                return unlocked(force.end(asker.stack(), held.get().token(), asker.cause()) > 0);
            }
            if (LockIds.isId(id) && locks.release(asker.stack(), id, asker.cause())) {
                return unlocked(true);
            }
            throw notLocked(asker.stack()).refused();
        });
    }

    private Problem notLocked(Stack stack) {
        Optional<byte[]> holder = locks.holder(stack);
        String now = holder.isPresent() ? "another ID holds it, and was left alone" : "it is free";
        Refused why = new Refused(
                Refused.Reason.NOT_HELD,
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
