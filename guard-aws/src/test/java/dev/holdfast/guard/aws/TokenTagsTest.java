package dev.holdfast.guard.aws;

import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.failure;
import static dev.holdfast.guard.actuator.Acts.target;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.Acts;
import dev.holdfast.guard.actuator.Actuator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two callers on one instance, at every point where the older one can be paused. */
@DisplayName("With tokens in the keys of tags")
final class TokenTagsTest {
    private static final String ID = FakeEc2.ID;
    private static final String SINGLE = "holdfast:fencing-token";

    @TempDir
    Path directory;

    private FakeEc2 ec2;
    private Actuator actuator;

    @BeforeEach
    void open() throws IOException {
        ec2 = new FakeEc2("running");
        Path secret = Files.writeString(directory.resolve("secret"), FakeAws.SECRET + "\n");
        actuator = Acts.actuator(Map.of(
                "type", "ec2",
                "region", "eu-central-1",
                "endpoint", ec2.endpoint.url() + "/",
                "access_key_id", "AKIDEXAMPLE",
                "secret_access_key_file", secret.toString(),
                "poll", "5ms"));
    }

    @AfterEach
    void close() {
        ec2.close();
    }

    /** The newer caller's whole act: it finds the instance running, and says so to whoever wanted it. */
    private void startWith6() {
        assertThat(done(actuator.start(target(ID, 6))).now()).isEqualTo(ResourceState.RUNNING);
    }

    private void isRefusedFor6() {
        assertThat(actuator.stop(target(ID, 5))).isEqualTo(new ActResult.Stale(6));
        assertThat(ec2.actions).doesNotContain("StopInstances");
        assertThat(ec2.word).isEqualTo("running");
        assertThat(ec2.tokens()).as("its own is removed, the newer one stays").containsExactly("6");
        assertThat(ec2.tags).containsKey("Name");
    }

    @Test
    @DisplayName("a caller paused before it writes its token does not stop what a newer one started")
    void pausedBeforeTag() {
        ec2.token(4);
        ec2.before.put("CreateTags", this::startWith6);
        isRefusedFor6();
    }

    @Test
    @DisplayName("a caller paused after it wrote its token does not stop what a newer one started")
    void pausedBeforeSecondLook() {
        ec2.token(4);
        // The newer one begins when ours, already written, is about to be looked for.
        ec2.before.put("CreateTags", () -> ec2.before.put("DescribeInstances", this::startWith6));
        isRefusedFor6();
    }

    @Test
    @DisplayName("a caller whose order must be repeated looks again before it does")
    void pausedBetweenOrders() {
        ec2.failing("StopInstances", 1, 503, "RequestLimitExceeded");
        ec2.before.put("StopInstances", () -> ec2.before.put("DescribeInstances", this::startWith6));
        assertThat(actuator.stop(target(ID, 5))).isEqualTo(new ActResult.Stale(6));
        assertThat(ec2.actions).containsOnlyOnce("StopInstances");
        assertThat(ec2.word).isEqualTo("running");
    }

    @Test
    @DisplayName("a caller that waits for the opposite to end gives way to a newer one")
    void pausedWhileWaiting() {
        ec2.looksPerChange = 1_000_000;
        ec2.become("pending", "running");
        ec2.before.put(
                "CreateTags",
                () -> ec2.before.put(
                        "DescribeInstances", () -> ec2.before.put("DescribeInstances", () -> ec2.token(6))));
        assertThat(actuator.stop(target(ID, 5))).isEqualTo(new ActResult.Stale(6));
        assertThat(ec2.actions).doesNotContain("StopInstances");
    }

    @Test
    @DisplayName("only the newest stays, and nobody else's tags are touched")
    void cleansUp() {
        for (int token = 1; token <= 12; token++) {
            done(token % 2 == 0 ? actuator.stop(target(ID, token)) : actuator.start(target(ID, token)));
        }
        assertThat(ec2.tokens()).containsExactly("12");
        assertThat(ec2.tags).containsOnlyKeys("Name", "holdfast:fencing-token:12");
    }

    @Test
    @DisplayName("an act does not fail because old ones cannot be removed, until there are ten")
    void cannotCleanUp() {
        ec2.failing("DeleteTags", 1000, 403, "UnauthorizedOperation");
        for (int token = 1; token <= 11; token++) {
            done(actuator.start(target(ID, token)));
        }
        assertThat(failure(actuator.start(target(ID, 12))))
                .contains("DeleteTags")
                .contains("UnauthorizedOperation")
                .contains("allow the action");
        assertThat(ec2.tokens()).hasSize(11).doesNotContain("12");
    }

    @Test
    @DisplayName("says what to do when the instance has no place for another tag")
    void noPlace() {
        for (int i = 0; i < 49; i++) {
            ec2.tags.put("other-" + i, "x");
        }
        assertThat(failure(actuator.stop(target(ID, 7))))
                .contains("TagLimitExceeded")
                .contains("remove a tag");
        assertThat(ec2.actions).doesNotContain("StopInstances", "DeleteTags");
    }

    @Test
    @DisplayName("the single tag of earlier versions is believed, and left where it is")
    void singleTag() {
        ec2.tags.put(SINGLE, "9");
        assertThat(actuator.stop(target(ID, 8))).isEqualTo(new ActResult.Stale(9));
        assertThat(ec2.tokens()).isEmpty();

        assertThat(done(actuator.stop(target(ID, 9))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(ec2.tokens()).containsExactly("9");
        assertThat(ec2.tags).containsEntry(SINGLE, "9");

        // Whoever still writes the single one with an older token takes nothing away.
        ec2.tags.put(SINGLE, "5");
        assertThat(actuator.start(target(ID, 8))).isEqualTo(new ActResult.Stale(9));
    }

    @Test
    @DisplayName("no tag is removed for the sake of the single one, which others overwrite")
    void singleTagIsNoReason() {
        ec2.token(3);
        ec2.tags.put(SINGLE, "9");
        assertThat(actuator.stop(target(ID, 8))).isEqualTo(new ActResult.Stale(9));
        assertThat(ec2.tokens()).containsExactly("3");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {SINGLE, SINGLE + ":seven", SINGLE + ":"})
    @DisplayName("a tag without a number stops everything until somebody has looked")
    void strangeTag(String key) {
        ec2.tags.put(key, "seven");
        assertThat(failure(actuator.stop(target(ID, 7)))).contains(key).contains("remove it");
        assertThat(ec2.actions).containsExactly("DescribeInstances");
    }
}
