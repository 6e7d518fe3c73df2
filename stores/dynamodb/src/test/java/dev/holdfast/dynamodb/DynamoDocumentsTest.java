package dev.holdfast.dynamodb;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.servers.CuttableLine;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("documents in DynamoDB")
class DynamoDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        CuttableLine line = new CuttableLine(Dynamo.port());
        String table = Dynamo.newName();
        Dynamo.create(
                table + "-documents",
                Map.of("part", ScalarAttributeType.S, "name", ScalarAttributeType.S),
                "part",
                "name");
        return new DocumentFixture() {
            @Override
            public DocumentStore open() {
                return DocumentStores.open(Dynamo.url(table, line.port()));
            }

            @Override
            public int many() {
                return 1_100; // more than one query answers
            }

            @Override
            public int large() {
                return 300_000;
            }

            @Override
            public int rounds() {
                return 8;
            }

            @Override
            public Optional<StoreFixture.Line> line() {
                return Optional.of(line);
            }

            @Override
            public void close() {
                line.close();
            }
        };
    }
}
