package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.ServerDocumentFixture;
import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.servers.PostgresServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("documents in PostgreSQL")
class PostgresDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        PostgresServer server = Postgres.newest();
        String direct = server.freshSchema();
        return new ServerDocumentFixture(
                server.port(), port -> direct.replace(":" + server.port() + "/", ":" + port + "/"));
    }
}
