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
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The RDS actuator")
final class RdsActuatorTest {
    private static final String ID = FakeRds.ID;

    @TempDir
    Path directory;

    private FakeRds rds;
    private Actuator actuator;

    @BeforeEach
    void open() throws IOException {
        rds = new FakeRds("available");
        Path secret = Files.writeString(directory.resolve("secret"), FakeAws.SECRET);
        actuator = Acts.actuator(Map.of(
                "type", "rds",
                "region", "eu-central-1",
                "endpoint", rds.endpoint.url() + "/",
                "access_key_id", "AKIDEXAMPLE",
                "secret_access_key_file", secret.toString(),
                "poll", "5ms"));
    }

    @AfterEach
    void close() {
        rds.close();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"orders", "orders.c1abc.eu-central-1.rds.amazonaws.com:5432"})
    @DisplayName("writes the token, stops and starts, and waits for the end of it")
    void stopAndStart(String db) {
        assertThat(done(actuator.stop(target(db, 7))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(rds.tokens()).containsExactly("7");
        assertThat(done(actuator.start(target(db, 8))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(rds.tokens()).containsExactly("8");
        assertThat(rds.actions).containsOnlyOnce("StopDBInstance", "StartDBInstance");
    }

    @Test
    @DisplayName("refuses an older token, and gives way to a newer one")
    void stale() {
        rds.token(12);
        assertThat(actuator.stop(target(ID, 11))).isEqualTo(new ActResult.Stale(12));
        // The last of the looks before the order: after our tag was written.
        rds.before.put("AddTagsToResource", () -> rds.before.put("DescribeDBInstances", () -> rds.token(14)));
        assertThat(actuator.stop(target(ID, 13))).isEqualTo(new ActResult.Stale(14));
        assertThat(rds.actions).doesNotContain("StopDBInstance");
        assertThat(rds.tokens()).containsExactly("14");
    }

    @Test
    @DisplayName("does not stop late: its token, written late, hides no newer one")
    void pausedBeforeTag() {
        rds.before.put(
                "AddTagsToResource",
                () -> assertThat(done(actuator.start(target(ID, 6))).now()).isEqualTo(ResourceState.RUNNING));
        assertThat(actuator.stop(target(ID, 5))).isEqualTo(new ActResult.Stale(6));

        assertThat(rds.actions).doesNotContain("StopDBInstance");
        assertThat(rds.tokens()).containsExactly("6");
        assertThat(rds.tags).containsKey("Name");
    }

    @Test
    @DisplayName("changes nothing in a dry run")
    void dryRun() {
        assertThat(done(actuator.stop(dry(ID, 7))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(rds.actions).containsExactly("DescribeDBInstances");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "available,RUNNING",
        "backing-up,RUNNING",
        "configuring-log-exports,RUNNING",
        "stopping,STOPPING",
        "stopped,STOPPED",
        "starting,STARTING",
        "failed,UNKNOWN",
        "deleting,UNKNOWN"
    })
    @DisplayName("knows what RDS's words mean")
    void words(String word, ResourceState state) {
        rds.word = word;
        assertThat(actuator.state(target(ID, 1))).isEqualTo(state);
    }

    @Test
    @DisplayName("tells that a database that is being backed up cannot be stopped now")
    void busy() {
        rds.word = "backing-up";
        assertThat(failure(actuator.stop(target(ID, 7))))
                .contains("InvalidDBInstanceState")
                .contains("try again later");
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"AccessDenied,StopDBInstance,403", "DBInstanceNotFound,DescribeDBInstances,404"})
    @DisplayName("tells what RDS refused")
    void refused(String code, String action, int status) {
        rds.failing(action, 1, status, code);
        assertThat(failure(actuator.stop(target(ID, 7))))
                .contains(code)
                .contains(action)
                .contains("'orders'");
    }

    @Test
    @DisplayName("refuses a database whose name it cannot tell")
    void whichDatabase() {
        assertThat(failure(actuator.stop(target("10.0.0.1:5432", 7)))).contains("db_instance");
        assertThat(done(actuator.stop(Acts.with(target("10.0.0.1:5432", 7), Map.of("db_instance", ID))))
                        .now())
                .isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("reads no answer that declares a document type")
    void noDocumentType() {
        String evil = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        try {
            AwsXml.of(evil);
            throw new AssertionError("it was read");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("DOCTYPE");
        }
    }
}
