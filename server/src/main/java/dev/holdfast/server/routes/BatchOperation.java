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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of many things that a request asks for, each with an outcome of its own. They are begun in the order in which they were sent, and
 * go to the store together; those about the same lock are decided in that order.
 *
 * @param key the lock it is about
 * @param admission refuses the whole request, of which nothing has begun
 * @param work begins it: the result is JSON, also of a failure; adds to the list what is to be done if nobody can be told
 */
record BatchOperation(
        RecordKey key, Runnable admission, Function<List<Runnable>, CompletableFuture<JsonText.Part>> work) {
    private static final int MAX_IN_REQUEST = 10_000;

    /** One that everybody may ask for who has the role, and that is not undone. */
    static BatchOperation of(RecordKey key, Supplier<CompletableFuture<JsonText.Part>> work) {
        return new BatchOperation(key, () -> {}, undo -> work.get());
    }

    /** Does what this list asks for: everything, or nothing if any of it cannot be read or is not allowed. */
    static CompletableFuture<Reply> all(Call call, String list, Function<JsonFields, BatchOperation> read) {
        JsonFields fields = call.fields();
        List<BatchOperation> operations =
                fields.objects(list, MAX_IN_REQUEST).stream().map(read).toList();
        fields.check();
        call.requireAnywhere(Role.LOCK);
        operations.forEach(operation -> call.require(Role.LOCK, operation.key()));
        operations.forEach(operation -> operation.admission().run());
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
            List<BatchOperation> operations, List<Runnable> undo, Runnable undoAll) {
        List<CompletableFuture<JsonText.Part>> results = new ArrayList<>(operations.size());
        try {
            operations.forEach(operation -> results.add(operation.work().apply(undo)));
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
