package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
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
        try (Worker one = Worker.start(url, directory, 8);
                Worker two = Worker.start(url, directory, 8);
                Worker three = Worker.start(url, directory, 8)) {
            for (Worker worker : List.of(one, two, three)) {
                worker.awaitEnd();
                worker.awaitTurns(8);
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
        try (Worker survivor = Worker.start(url, directory, MANY)) {
            survivor.awaitTurns(2);
            for (int i = 0; i < 2; i++) {
                try (Worker victim = Worker.start(url, directory, MANY)) {
                    victim.awaitTurns(1 + i);
                    victim.close();
                    acknowledged += victim.turns();
                }
                survivor.awaitTurns(survivor.turns() + 3);
            }
            survivor.close();
            acknowledged += survivor.turns();
        }
        assertThat(number()).isGreaterThanOrEqualTo(acknowledged).isLessThanOrEqualTo(acknowledged + 3);
        assertTokensGrow();
    }
}
