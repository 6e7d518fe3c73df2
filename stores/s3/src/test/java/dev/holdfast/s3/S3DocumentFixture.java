package dev.holdfast.s3;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.testkit.documents.DocumentFixture;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.HttpFront;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A bucket of its own on a real server, reached over a line that can be cut, through a front that lets one request at a time to an
 * object, also one that only reads: the server behind has moments in which an object that is being replaced is not there.
 */
final class S3DocumentFixture implements DocumentFixture {
    private final HttpFront front = new HttpFront(S3.server().port());
    private final CuttableLine line = new CuttableLine(front.port());
    private final String bucket = S3.server().freshBucket();
    private final Map<String, Object> turns = new ConcurrentHashMap<>();

    S3DocumentFixture() {
        front.through(this::inTurn);
    }

    Optional<HttpFront.Answer> inTurn(HttpFront.Request request, HttpFront.Server server) throws java.io.IOException {
        synchronized (turns.computeIfAbsent(request.path(), path -> new Object())) {
            return Optional.of(server.send(request));
        }
    }

    HttpFront front() {
        return front;
    }

    String bucket() {
        return bucket;
    }

    String url() {
        return S3.url(line.port(), bucket);
    }

    /** The same bucket without a prefix. */
    String rootUrl() {
        return "s3://" + bucket + "/?prefix=&endpoint=http://127.0.0.1:" + line.port();
    }

    @Override
    public DocumentStore open() {
        return DocumentStores.open(url());
    }

    /** Each costs several requests. */
    @Override
    public int many() {
        return 25;
    }

    @Override
    public int large() {
        return 2_000_000;
    }

    @Override
    public int rounds() {
        return 3;
    }

    @Override
    public Optional<StoreFixture.Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
        front.close();
    }
}
