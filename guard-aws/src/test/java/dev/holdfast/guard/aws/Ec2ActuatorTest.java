package dev.holdfast.guard.aws;

import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.dry;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The EC2 actuator")
final class Ec2ActuatorTest {
    private static final String ID = FakeEc2.ID;

    @TempDir
    Path directory;

    private FakeEc2 ec2;
    private Actuator actuator;

    @BeforeEach
    void open() throws IOException {
        ec2 = new FakeEc2("running");
        actuator = actuator(Map.of());
    }

    @AfterEach
    void close() {
        ec2.close();
    }

    private Actuator actuator(Map<String, String> more) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), FakeAws.SECRET + "\n");
        Map<String, String> settings = new HashMap<>(Map.of(
                "type", "ec2",
                "region", "eu-central-1",
                "endpoint", ec2.endpoint.url() + "/",
                "access_key_id", "AKIDEXAMPLE",
                "secret_access_key_file", secret.toString(),
                "poll", "5ms"));
        settings.putAll(more);
        return Acts.actuator(settings);
    }

    @Test
    @DisplayName("writes the token, stops, and waits until the instance is stopped")
    void stop() {
        ActResult.Done done = done(actuator.stop(target(ID, 7)));

        assertThat(done.now()).isEqualTo(ResourceState.STOPPED);
        assertThat(ec2.tokens()).containsExactly("7");
        assertThat(ec2.actions)
                .startsWith(
                        "DescribeInstances", "CreateTags", "DescribeInstances", "StopInstances", "DescribeInstances")
                .containsOnlyOnce("StopInstances");
        assertThat(actuator.state(target(ID, 7))).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("starts what is stopped")
    void start() {
        ec2.word = "stopped";
        assertThat(done(actuator.start(target(ID, 8))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(ec2.word).isEqualTo("running");
    }

    @Test
    @DisplayName("says that the stop goes on when it takes longer than it may wait")
    void slowStop() throws Exception {
        ec2.looksPerChange = 1_000_000;
        ActResult.Done done = done(actuator(Map.of("settle", "50ms")).stop(target(ID, 7)));

        assertThat(done.now()).isEqualTo(ResourceState.STOPPING);
        assertThat(done.detail()).contains("goes on");
    }

    @Test
    @DisplayName("does nothing twice, yet lets an older token know that it is late")
    void idempotent() {
        ec2.word = "stopped";
        assertThat(done(actuator.stop(target(ID, 9))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(ec2.actions).doesNotContain("StopInstances");
        assertThat(ec2.tokens()).containsExactly("9");

        assertThat(done(actuator.stop(target(ID, 9))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(actuator.start(target(ID, 8))).isEqualTo(new ActResult.Stale(9));
    }

    @Test
    @DisplayName("refuses an older token and touches nothing")
    void stale() {
        ec2.token(12);
        assertThat(actuator.stop(target(ID, 11))).isEqualTo(new ActResult.Stale(12));
        assertThat(ec2.actions).containsExactly("DescribeInstances");
        assertThat(ec2.tokens()).containsExactly("12");
        assertThat(actuator.stop(dry(ID, 11))).isEqualTo(new ActResult.Stale(12));
    }

    @Test
    @DisplayName("stops nothing when its token does not show in the tags")
    void tagDoesNotShow() {
        ec2.before.put("CreateTags", () -> ec2.failing("CreateTags", 1, 200, "x"));
        assertThat(failure(actuator.stop(target(ID, 7))))
                .contains("does not show")
                .contains("nothing was done");
        assertThat(ec2.actions).doesNotContain("StopInstances");
    }

    @Test
    @DisplayName("waits for a stop to end before it starts, and for a start before it stops")
    void oppositeUnderWay() {
        ec2.become("stopping", "stopped");
        assertThat(done(actuator.start(target(ID, 5))).now()).isEqualTo(ResourceState.RUNNING);

        ec2.become("pending", "running");
        assertThat(done(actuator.stop(target(ID, 6))).now()).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("says so when the opposite does not end in time")
    void oppositeDoesNotEnd() {
        ec2.looksPerChange = 1_000_000;
        ec2.become("stopping", "stopped");
        assertThat(failure(actuator.start(target(ID, 5, Duration.ofSeconds(3)))))
                .contains("try again");
        assertThat(ec2.actions).doesNotContain("StartInstances");
    }

    @Test
    @DisplayName("rehearses a dry run with EC2 itself and changes nothing")
    void dryRun() {
        ActResult.Done done = done(actuator.stop(dry(ID, 7)));

        assertThat(done.now()).isEqualTo(ResourceState.RUNNING);
        assertThat(done.detail()).startsWith("dry run: would stop");
        assertThat(ec2.actions).containsExactly("DescribeInstances", "StopInstances (dry run)");
        assertThat(ec2.tokens()).isEmpty();

        ec2.failing("StopInstances", 1, 403, "UnauthorizedOperation");
        assertThat(failure(actuator.stop(dry(ID, 7)))).contains("UnauthorizedOperation");
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "UnauthorizedOperation,DescribeInstances,403,allow the action",
        "UnauthorizedOperation,CreateTags,403,allow the action",
        "UnauthorizedOperation,StopInstances,403,allow the action",
        "IncorrectInstanceState,StopInstances,400,try again later",
        "InvalidInstanceID.NotFound,DescribeInstances,400,refused"
    })
    @DisplayName("tells what AWS refused and what to do")
    void refused(String code, String action, int status, String next) {
        ec2.failing(action, 1, status, code);
        String what = failure(actuator.stop(target(ID, 7)));

        assertThat(what)
                .contains(action)
                .contains(ID)
                .contains(code)
                .contains(next)
                .doesNotContain(FakeAws.SECRET);
        assertThat(ec2.word).isEqualTo("running");
    }

    @Test
    @DisplayName("tries again when AWS takes no more requests, has a fault, or cuts the line")
    void passing() {
        ec2.failing("DescribeInstances", 1, 503, "RequestLimitExceeded");
        ec2.failing("CreateTags", 1, 500, "InternalError");
        ec2.failing("StopInstances", 1, 0, "");
        assertThat(done(actuator.stop(target(ID, 7))).now()).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("gives up when AWS takes no more requests within the time limit")
    void throttled() {
        ec2.failing("DescribeInstances", 1000, 503, "RequestLimitExceeded");
        assertThat(failure(actuator.stop(target(ID, 7, Duration.ofSeconds(2))))).contains("RequestLimitExceeded");
    }

    @Test
    @DisplayName("ends at the time limit when AWS is silent")
    void silent() {
        ec2.failing("StopInstances", 1, -1, "");
        long began = System.nanoTime();
        assertThat(failure(actuator.stop(target(ID, 7, Duration.ofSeconds(2))))).contains("got no answer");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
        assertThat(actuator.state(target(ID, 7))).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName("does not take for done what does not change")
    void doesNotMove() throws Exception {
        ec2.before.put("StopInstances", () -> ec2.failing("StopInstances", 1, 200, "x"));
        assertThat(failure(actuator(Map.of("settle", "50ms")).stop(target(ID, 7))))
                .contains("reads back as running");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"terminated", "shutting-down", "something-new"})
    @DisplayName("cannot say what an instance does that is neither running nor stopped")
    void otherStates(String word) {
        ec2.word = word;
        assertThat(actuator.state(target(ID, 7))).isEqualTo(ResourceState.UNKNOWN);
        assertThat(failure(actuator.start(target(ID, 7)))).contains(word);
        assertThat(ec2.actions).doesNotContain("StartInstances");
    }

    @Test
    @DisplayName("takes the instance from the target's settings, and refuses what is no instance id")
    void whichInstance() {
        var named = Acts.with(target("db1:5432", 7), Map.of("instance_id", ID));
        assertThat(done(actuator.stop(named)).now()).isEqualTo(ResourceState.STOPPED);

        int before = ec2.actions.size();
        assertThat(failure(actuator.stop(target("db1:5432", 8)))).contains("'db1:5432' is not an EC2 instance id");
        assertThat(actuator.state(target("db1:5432", 8))).isEqualTo(ResourceState.UNKNOWN);
        assertThat(ec2.actions).hasSize(before);
    }
}
