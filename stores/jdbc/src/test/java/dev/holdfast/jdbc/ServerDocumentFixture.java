package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.servers.CuttableLine;
import java.util.Optional;
import java.util.function.IntFunction;

/** An empty place on a real server, reached over a line that can be cut. */
public final class ServerDocumentFixture implements DocumentFixture {
    private final CuttableLine line;
    private final String url;

    /** On the server at this port, with the URL for a port. */
    public ServerDocumentFixture(int port, IntFunction<String> url) {
        this.line = new CuttableLine(port);
        this.url = url.apply(line.port());
    }

    @Override
    public DocumentStore open() {
        return DocumentStores.open(url);
    }

    @Override
    public Optional<StoreFixture.Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
    }
}
