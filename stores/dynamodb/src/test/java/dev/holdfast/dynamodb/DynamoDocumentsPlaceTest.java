package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("the table of documents in DynamoDB")
class DynamoDocumentsPlaceTest {
    private final String table = Dynamo.newName();
    private final String url = Dynamo.url(table, Dynamo.port());

    private static Change put(String name, String text) {
        return Change.put(name, Condition.none(), text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private long items() {
        return Dynamo.client()
                .scan(scan -> scan.tableName(table + "-documents").consistentRead(true))
                .join()
                .count();
    }

    @Test
    @DisplayName("is made and removed with those of the locks; without it the command that makes it is told")
    void schema() {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DocumentStores.open(url))
                .withMessageContaining(table + "-documents")
                .withMessageContaining("holdfast schema migrate");
        DynamoSchema.of(url).migrate();
        try (DocumentStore store = DocumentStores.open(url)) {
            store.write(put("a", "x"));
        }
        assertThat(DynamoSchema.of(url).createCommands()).contains("--table-name " + table + "-documents");
        assertThat(DynamoSchema.of(url).dropCommands()).contains("--table-name " + table + "-documents");
        DynamoSchema.of(url).drop();
        assertThatExceptionOfType(StoreUnusableException.class).isThrownBy(() -> DocumentStores.open(url));
    }

    @Test
    @DisplayName("of another tool is refused")
    void foreign() {
        Dynamo.create(table + "-documents", Map.of("id", ScalarAttributeType.S), "id");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DocumentStores.open(url))
                .withMessageContaining("another tool");
    }

    @Test
    @DisplayName("has a head and a content for each document, and nothing of those replaced, refused or deleted")
    void nothingLeft() {
        Dynamo.create(
                table + "-documents",
                Map.of("part", ScalarAttributeType.S, "name", ScalarAttributeType.S),
                "part",
                "name");
        try (DocumentStore store = DocumentStores.open(url)) {
            store.write(List.of(put("a", "one"), put("b", "one")));
            store.write(put("a", "two"));
            store.write(Change.put("a", Condition.absent(), new byte[10], Map.of()));
            assertThat(items()).isEqualTo(4);
            store.write(List.of(put("a", ""), Change.delete("b", Condition.none())));
            assertThat(items()).isEqualTo(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.write(Change.put("c", Condition.none(), new byte[400_000], Map.of())))
                    .withMessageContaining("s3://")
                    .withMessageContaining("file:");
        }
    }
}
