package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.ServerDocumentFixture;
import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.servers.MariadbServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("documents in MariaDB")
class MariadbDocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        MariadbServer server = Mariadb.server();
        String database = server.freshDatabase();
        return new ServerDocumentFixture(server.port(), port -> MariadbServer.url(port, database));
    }
}
