package dev.holdfast.s3;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.RemoteFixture;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A bucket of its own on a real server, reached through a front that gives out turns. The front tells the time of the test in a header
 * of its own, exactly; what is made of the Date that real servers tell is tested in {@link S3ClockTest}.
 */
final class S3Fixture extends RemoteFixture {
    private static final String HEADER = "x-test-time";
    private static final ServerTime TIME = new ServerTime(HEADER, Duration.ofNanos(1_000), Instant::parse);

    private final HttpFront front;
    private final String bucket = S3.server().freshBucket();

    private S3Fixture(HttpFront front, boolean settled) {
        super(front.port(), settled);
        this.front = front;
        front.through((request, server) -> Optional.of(server.send(request))
                .map(answer -> answer.with(HEADER, clock.wall().toString())));
    }

    /** The store as it is. */
    static S3Fixture plain() {
        return new S3Fixture(new HttpFront(S3.server().port()), false);
    }

    /** The store for engines in a time that stands still while they wait. */
    static S3Fixture settled() {
        return new S3Fixture(new HttpFront(S3.server().port()), true);
    }

    @Override
    protected RecordStore connect(int port) {
        S3Config config = S3Config.DEFAULT
                .withRequestTimeout(Duration.ofSeconds(15))
                .withClockSkew(Duration.ZERO)
                .withTime(clock);
        return S3Store.open(BucketAddress.of(S3.url(port, bucket)), config, TIME);
    }

    @Override
    public void close() {
        super.close();
        front.close();
    }
}
