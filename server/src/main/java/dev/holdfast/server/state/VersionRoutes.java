package dev.holdfast.server.state;

import dev.holdfast.internal.parts.ShownText;
import dev.holdfast.model.Names;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Cursors;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.routes.LockParameters;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.terraform.SaveBase;
import dev.holdfast.state.terraform.TerraformLocks;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.json.JsonText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Versions of state: which there are, what differs, keeping them, going back; and the list of all stacks. */
record VersionRoutes(StateCalls calls, TerraformLocks locks) {
    /** As much as stands beside a version, with the word before it. */
    private static final int MAX_REASON = 200;

    // ---- looking

    CompletableFuture<Reply> list(Call call) {
        PageRequest page = page(call);
        call.requireSomewhereIn(Role.READ, Stack.NAMESPACE);
        Grants grants = call.principal().grants();
        return calls.work(call, () -> {
            StackPage found = page.of(() -> calls.states().list(page.limit(), page.cursor()));
            List<StackPage.Item> readable = found.stacks().stream()
                    .filter(item -> grants.may(Role.READ, item.stack().lock().record()))
                    .toList();
            return Reply.ok(json -> {
                JsonText.values(json, "items", readable, StateJson::item);
                Cursors.write(json, found.next());
            });
        });
    }

    CompletableFuture<Reply> history(Call call) {
        PageRequest page = page(call);
        return calls.about(call, Role.READ, asker -> {
            // First: whoever sends it back as the version that was seen must not have seen an older list.
            Optional<StateVersion> current = calls.states().current(asker.stack());
            HistoryPage found = page.of(() -> calls.states().history(asker.stack(), page.limit(), page.cursor()));
            return Reply.ok(json -> {
                json.writeStringField(
                        "current", current.map(StateVersion::version).orElse(null));
                JsonText.values(json, "items", found.versions(), StateJson::object);
                Cursors.write(json, found.next());
            });
        });
    }

    CompletableFuture<Reply> version(Call call) {
        String version = call.name("version");
        return calls.plain(
                call,
                Role.STATE_READ,
                asker -> TerraformRoutes.read(calls, asker, load(asker.stack(), version), version));
    }

    private LoadedState load(Stack stack, String version) {
        return calls.states()
                .version(stack, version)
                .orElseThrow(() -> StateProblems.noVersion(stack, ShownText.of(version)));
    }

    /** From the version before to the current one, unless asked otherwise. */
    CompletableFuture<Reply> diff(Call call) {
        Query query = call.query();
        Optional<String> from = query.text("from", text -> text);
        Optional<String> to = query.text("to", text -> text);
        boolean onlySummary = query.text("summary", LockParameters::truth).orElse(false);
        query.check();
        return calls.compare(call, Role.READ, (asker, patience) -> {
            Stack stack = asker.stack();
            LoadedState later = to.map(version -> load(stack, version))
                    .or(() -> calls.states().load(stack))
                    .orElseThrow(() -> StateProblems.noState(stack));
            patience.check();
            LoadedState earlier = load(stack, from.orElseGet(() -> before(stack, later.version())));
            StateDiff all = patience.computing(() -> StateDiff.between(earlier.content(), later.content()));
            // Who may only see what changed does not read in a difference what stands in a resource.
            boolean reads =
                    asker.principal().grants().may(Role.STATE_READ, stack.lock().record());
            StateDiff diff = reads ? all : all.withoutWhole();
            return Reply.ok(json -> {
                json.writeStringField("from", earlier.version().version());
                json.writeStringField("to", later.version().version());
                StateJson.summary(json, diff);
                if (!onlySummary) {
                    StateJson.changes(json, diff);
                }
            });
        });
    }

    private String before(Stack stack, StateVersion version) {
        return calls.states().history(stack, 1, Optional.of(version.version())).versions().stream()
                .findFirst()
                .map(StateVersion::version)
                .orElseThrow(() -> StateProblems.noVersion(stack, "before " + version.version()));
    }

    CompletableFuture<Reply> verify(Call call) {
        call.query().check();
        return calls.compare(call, Role.READ, (asker, patience) -> {
            var found = calls.states().verify(asker.stack());
            return Reply.ok(json -> StateJson.verification(json, found));
        });
    }

    // ---- keeping and going back

    CompletableFuture<Reply> backup(Call call) {
        return calls.plain(call, Role.STATE, asker -> {
            StateVersion kept =
                    calls.states().backup(asker.stack()).orElseThrow(() -> StateProblems.noState(asker.stack()));
            return Reply.ok(json -> StateJson.version(json, kept));
        });
    }

    CompletableFuture<Reply> restore(Call call) {
        JsonFields fields = call.fields();
        Optional<String> version = fields.optionalText("version", text -> text);
        Optional<PointInTime> time = fields.optionalText("timestamp", PointInTime::parse);
        if (version.isPresent() == time.isPresent()) {
            fields.wrong("version", "or timestamp is needed, one of them");
        }
        Optional<String> reason = fields.optionalText("reason", VersionRoutes::reason);
        fields.check();
        call.query().check();
        Optional<SaveBase> over = TerraformRoutes.base(call);
        if (over.isPresent() && version.isEmpty()) {
            throw Problem.invalid("If-Match and If-None-Match need a version: by now a time may mean another one");
        }
        return calls.about(call, Role.STATE, asker -> {
            Stack stack = asker.stack();
            String operation = reason.map(why -> "restore: " + why).orElse("restore");
            Provenance by = Provenance.of(asker.principal().name(), operation);
            StateManager states = calls.states();
            RestoreOutcome outcome = version.map(
                            wanted -> over.map(base -> states.restoreOver(stack, base.version(), wanted, by))
                                    .orElseGet(() -> states.restore(stack, wanted, by)))
                    .orElseGet(() -> states.restore(stack, time.orElseThrow(), by));
            return restored(stack, outcome);
        });
    }

    private static String reason(String text) {
        String clean = text.strip();
        if (clean.isEmpty() || clean.length() > MAX_REASON) {
            throw new IllegalArgumentException("must have 1 to " + MAX_REASON + " characters");
        }
        return Names.text("reason", clean, 1);
    }

    private Reply restored(Stack stack, RestoreOutcome outcome) {
        if (outcome instanceof StateRefusal refused) {
            throw StateProblems.notDone(refused, locks.holder(stack));
        }
        if (outcome instanceof RestoreOutcome.NoSuchVersion missing) {
            throw StateProblems.noVersion(stack, ShownText.of(missing.asked()));
        }
        return Reply.ok(json -> StateJson.restored(json, (RestoreOutcome.Restored) outcome));
    }

    // ---- pages

    private record PageRequest(int limit, Optional<String> cursor) {
        <T> T of(Supplier<T> found) {
            try {
                return found.get();
            } catch (IllegalArgumentException e) {
                throw Cursors.refused(e);
            }
        }
    }

    private static PageRequest page(Call call) {
        Query query = call.query();
        int limit = LockParameters.limit(query);
        Optional<String> cursor = query.text("cursor", Cursors::decode);
        query.check();
        return new PageRequest(limit, cursor);
    }
}
