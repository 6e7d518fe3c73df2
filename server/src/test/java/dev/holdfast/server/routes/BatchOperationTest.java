package dev.holdfast.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("one of many operations")
class BatchOperationTest {
    private static BatchOperation operation(Function<List<Runnable>, CompletableFuture<JsonText.Part>> work) {
        return new BatchOperation(new RecordKey("n", "one"), () -> {}, work);
    }

    @Test
    @DisplayName("that cannot be begun takes those before it back, and those after it are not begun")
    void cannotBegin() {
        List<String> seen = new ArrayList<>();
        BatchOperation granted = operation(undo -> {
            undo.add(() -> seen.add("undone"));
            seen.add("begun");
            return new CompletableFuture<>();
        });
        BatchOperation broken = operation(undo -> {
            throw new IllegalStateException("no engine");
        });
        List<Runnable> undo = new ArrayList<>();
        assertThatThrownBy(() -> BatchOperation.begin(
                        List.of(granted, broken, granted), undo, () -> undo.forEach(Runnable::run)))
                .hasMessage("no engine");
        assertThat(seen).containsExactly("begun", "undone");
    }
}
