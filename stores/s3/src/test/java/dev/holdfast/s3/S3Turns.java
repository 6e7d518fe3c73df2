package dev.holdfast.s3;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.TurnTaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * Takes turns in a bucket, in a process of its own, and counts in a file beside it: S3 would refuse nobody a number. Two who did so at
 * once would lose a number or have their tokens in the wrong order in the journal.
 */
final class S3Turns {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** A test waits for each look of each process. */
    private static final Duration POLL = Duration.ofMillis(100);

    private S3Turns() {}

    /** Starts one that takes this many turns. */
    static JavaProcess start(String url, Path directory, int turns) {
        JavaProcess worker = JavaProgram.of(S3Turns.class)
                .heap("96m")
                .with(Map.of("AWS_ACCESS_KEY_ID", "test", "AWS_SECRET_ACCESS_KEY", "test"))
                .start(directory.toString());
        worker.tell("open " + url);
        worker.tell("turns " + turns);
        return worker;
    }

    /** The other process. */
    public static void main(String[] args) throws Exception {
        S3Config config = S3Config.DEFAULT.withPollInterval(POLL);
        TurnTaker.obey(url -> new TurnTaker.Place(
                LockClient.on(S3Store.open(url, config), ClientConfig.DEFAULT), LEASE, new FileCounter(args[0])));
    }

    private record FileCounter(String directory) implements TurnTaker.Counter {
        @Override
        public long value() throws IOException {
            return Long.parseLong(Files.readString(Path.of(directory, "number")));
        }

        @Override
        public boolean write(long next, long token) throws IOException {
            Files.writeString(Path.of(directory, "number"), Long.toString(next), StandardOpenOption.DSYNC);
            Files.writeString(Path.of(directory, "journal"), token + "\n", StandardOpenOption.APPEND);
            return true;
        }
    }
}
