package dev.holdfast.server.routes;

import dev.holdfast.internal.parts.Causes;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Reply;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of many things that a request asks for, each with an outcome of its own. They are begun in the order in which they were sent, and
 * go to the store together; those about the same lock are decided in that order.
 */
interface Operation {
    int MAX_IN_REQUEST = 10_000;

    /** The lock it is about. */
    RecordKey key();

    /** Refuses the whole request, of which nothing has begun. */
    default void admit() {}

    /** Its result as JSON, also of a failure; it adds to {@code undo} what is to be done if nobody can be told. */
    CompletableFuture<JsonText.Part> begin(List<Runnable> undo);

    /** Does what this list asks for: everything, or nothing if any of it cannot be read or is not allowed. */
    static CompletableFuture<Reply> all(Call call, String list, Function<JsonFields, Operation> read) {
        JsonFields fields = call.fields();
        List<Operation> operations =
                fields.objects(list, MAX_IN_REQUEST).stream().map(read).toList();
        fields.check();
        call.requireAnywhere(Role.LOCK);
        operations.forEach(operation -> call.require(Role.LOCK, operation.key()));
        operations.forEach(Operation::admit);
        List<Runnable> undo = new ArrayList<>(0);
        Runnable undoAll = () -> undo.forEach(Runnable::run);
        List<CompletableFuture<JsonText.Part>> results = begin(operations, undo, undoAll);
        CompletableFuture<Void> all = call.here(CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)));
        if (undo.isEmpty()) {
            return all.thenApply(done -> reply(results));
        }
        call.ifGone(undoAll);
        return call.whileStanding(all, undoAll).thenApply(done -> reply(results).ifUndelivered(undoAll));
    }

    /** If one cannot even be begun, nobody will be told of those before it. */
    static List<CompletableFuture<JsonText.Part>> begin(
            List<Operation> operations, List<Runnable> undo, Runnable undoAll) {
        List<CompletableFuture<JsonText.Part>> results = new ArrayList<>(operations.size());
        try {
            operations.forEach(operation -> results.add(operation.begin(undo)));
        } catch (RuntimeException e) {
            undoAll.run();
            throw e;
        }
        return results;
    }

    private static Reply reply(List<CompletableFuture<JsonText.Part>> results) {
        return Reply.ok(json -> JsonText.values(
                json, "results", results, (out, result) -> result.join().write(out)));
    }

    /** The result of one. */
    static JsonText.Part result(LeaseId leaseId, String outcome, JsonText.Part more) {
        return json -> LeaseJson.result(json, leaseId, outcome, more);
    }

    /** The result of one that the store did not answer. */
    static JsonText.Part unknown(LeaseId leaseId, @Nullable Throwable failure) {
        String reason = failure == null
                ? "no answer"
                : String.valueOf(Causes.of(failure).getMessage());
        return result(leaseId, "unknown", json -> json.writeStringField("reason", reason));
    }
}
