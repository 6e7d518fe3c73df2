package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.TurnTaker;
import dev.holdfast.testkit.servers.HttpFront;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("several processes on one bucket")
class S3ProcessesTest {
    private static final int MANY = 1_000_000;

    @TempDir
    private Path directory;

    private final HttpFront front = new HttpFront(S3.server().port());
    private final String url = S3.url(front.port(), S3.server().freshBucket());

    @BeforeEach
    void files() throws IOException {
        Files.writeString(directory.resolve("number"), "0");
        Files.writeString(directory.resolve("journal"), "");
    }

    @AfterEach
    void close() {
        front.close();
    }

    private long number() throws IOException {
        return Long.parseLong(Files.readString(directory.resolve("number")));
    }

    private void assertTokensGrow() throws IOException {
        List<Long> tokens = Files.readAllLines(directory.resolve("journal")).stream()
                .map(Long::parseLong)
                .toList();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("never write at once: no count is lost, and tokens grow")
    void turns() throws Exception {
        try (JavaProcess one = S3Turns.start(url, directory, 8);
                JavaProcess two = S3Turns.start(url, directory, 8);
                JavaProcess three = S3Turns.start(url, directory, 8)) {
            for (JavaProcess worker : List.of(one, two, three)) {
                worker.awaitLine("done");
                TurnTaker.awaitTurns(worker, 8);
            }
        }
        assertThat(number()).isEqualTo(24);
        assertTokensGrow();
    }

    @Test
    @DisplayName(
            "one that is killed is followed by the others when its lease ends, wherever it was, with nothing repaired by hand")
    void killed() throws Exception {
        int acknowledged = 0;
        try (JavaProcess survivor = S3Turns.start(url, directory, MANY)) {
            TurnTaker.awaitTurns(survivor, 2);
            for (int i = 0; i < 2; i++) {
                try (JavaProcess victim = S3Turns.start(url, directory, MANY)) {
                    TurnTaker.awaitTurns(victim, 1 + i);
                    victim.kill();
                    acknowledged += TurnTaker.turns(victim);
                }
                TurnTaker.awaitTurns(survivor, TurnTaker.turns(survivor) + 3);
            }
            survivor.kill();
            acknowledged += TurnTaker.turns(survivor);
        }
        assertThat(number()).isGreaterThanOrEqualTo(acknowledged).isLessThanOrEqualTo(acknowledged + 3);
        assertTokensGrow();
    }
}
