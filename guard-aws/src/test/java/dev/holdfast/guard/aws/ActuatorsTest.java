package dev.holdfast.guard.aws;

import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.dry;
import static dev.holdfast.guard.actuator.Acts.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.actuator.builtin.LogActuator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The actuators")
final class ActuatorsTest {
    @TempDir
    Path directory;

    private static String problems(Map<String, Map<String, String>> configured) {
        Throwable thrown = catchThrowable(() -> Actuators.of(configured, Map.of()));
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
        return thrown.getMessage();
    }

    @Test
    @DisplayName("have log among them without being asked")
    void log() {
        Actuators none = Actuators.of(Map.of(), Map.of());
        assertThat(none.names()).containsExactly("log");
        assertThat(none.find("log")).isPresent();
        assertThat(none.find("other")).isEmpty();
    }

    @Test
    @DisplayName("with an allow-list act on what is on it, and on nothing else, whoever registered what")
    void allowed() {
        Actuators made = Actuators.of(
                Map.of(
                        "words", Map.of("type", "log", "allow", "i-0abc1234, *.db.internal:5432"),
                        "listed", Map.of("type", "log", "allow", "[\"orders\",\"shop-*-db\"]"),
                        "none", Map.of("type", "log", "allow", "[]"),
                        "all", Map.of("type", "log")),
                Map.of());
        Actuator words = made.find("words").orElseThrow();
        assertThat(words.allows("i-0abc1234")).isTrue();
        assertThat(words.allows("I-0ABC1234")).isTrue();
        assertThat(words.allows("orders.db.internal:5432")).isTrue();
        for (String other : new String[] {"i-0abc12345", "xi-0abc1234", "db.internal:5432", "a.db.internal:5433", ""}) {
            assertThat(words.allows(other)).as(other).isFalse();
        }
        Actuator listed = made.find("listed").orElseThrow();
        assertThat(listed.allows("shop-eu-db")).isTrue();
        assertThat(listed.allows("shop-eu-db-2")).isFalse();
        assertThat(made.find("none").orElseThrow().allows("orders")).isFalse();
        assertThat(made.find("all").orElseThrow().allows("anything")).isTrue();

        assertThat(listed.stop(target("victim", 7)))
                .isInstanceOfSatisfying(
                        ActResult.Failed.class,
                        failed -> assertThat(failed.what()).contains("'victim'", "guard.actuators.listed.allow"));
        assertThat(listed.start(target("victim", 7))).isInstanceOf(ActResult.Failed.class);
        assertThat(listed.state(target("victim", 7))).isEqualTo(ResourceState.UNKNOWN);
        assertThat(listed.stop(target("orders", 7))).isNotInstanceOf(ActResult.Failed.class);
        assertThat(problems(Map.of("a", Map.of("type", "log", "allow", "ok, no blanks&quotes\""))))
                .contains("guard.actuators.a.allow", "blanks&quotes");
    }

    @Test
    @DisplayName("are made from their settings, by name")
    void all() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "x");
        Actuators made = Actuators.of(
                Map.of(
                        "machines", Map.of("type", "ec2", "region", "eu-central-1"),
                        "databases", Map.of("type", "rds", "region", "eu-central-1"),
                        "cluster", Map.of("type", "kubernetes", "token_file", secret.toString()),
                        "hook",
                                Map.of(
                                        "type", "http",
                                        "stop_url", "https://x.test/stop",
                                        "start_url", "https://x.test/start",
                                        "status_url", "https://x.test/{db_identifier}"),
                        "program", Map.of("type", "command", "stop", "a b", "start", "[\"a\",\"b c\"]", "status", "c"),
                        "shadow", Map.of("type", "log")),
                Map.of());
        assertThat(made.names())
                .containsExactlyInAnyOrder("machines", "databases", "cluster", "hook", "program", "shadow", "log");
        assertThat(made.find("hook").map(Actuator::name)).contains("hook");
    }

    @Test
    @DisplayName("report every problem of every one at once, by its key")
    void allProblems() {
        String found = problems(Map.of(
                "a", Map.of("type", "ec3"),
                "b", Map.of(),
                "c", Map.of("type", "ec2", "access_key_id", "AK", "poll", "yes", "colour", "red"),
                "d", Map.of("type", "http", "stop_url", "ftp://x/", "token", "s3cret"),
                "e", Map.of("type", "command", "stop", "{db_identifier} now", "start", "x {what}", "status", "[1]"),
                "f", Map.of("type", "kubernetes", "kind", "Pod", "replicas", "0", "ca_file", "/no/such/file"),
                "log", Map.of("type", "rds", "region", "x y")));

        assertThat(found.split("\n"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("guard.actuators.a.type is 'ec3'")
                        .contains("kubernetes"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.b.type is missing"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.c.region is missing"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.c.access_key_id and secret"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.c.poll must be a time"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("guard.actuators.c.colour is not a known setting")
                        .contains("region"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.d.stop_url must be a URL"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.d.start_url is missing"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("guard.actuators.d.token is a secret")
                        .contains("token_file"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.e.stop must name its program"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("guard.actuators.e.start has the unknown placeholder {what}"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.e.status must be words"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.f.kind is not valid: 'Pod'"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.f.replicas must be a number"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.f.ca_file cannot be read"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.log.type must be log"))
                .anySatisfy(line -> assertThat(line).startsWith("guard.actuators.log.region must be a region"));
        assertThat(found).doesNotContain("s3cret");
    }

    @Test
    @DisplayName("show no secret")
    void secrets() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "s3cret");
        Actuators made = Actuators.of(
                Map.of(
                        "aws",
                        Map.of(
                                "type", "ec2",
                                "region", "eu-central-1",
                                "access_key_id", "AK",
                                "secret_access_key_file", secret.toString())),
                Map.of());
        assertThat(String.valueOf(made.find("aws"))).doesNotContain("s3cret");
    }

    @Test
    @DisplayName("of type log record and say so, and count as what they were told")
    void shadow() {
        Actuator log = new LogActuator("log");
        assertThat(log.state(target("db1", 1))).isEqualTo(ResourceState.UNKNOWN);
        assertThat(done(log.stop(dry("db1", 5))).detail()).startsWith("dry run");
        assertThat(log.state(target("db1", 1))).isEqualTo(ResourceState.UNKNOWN);

        ActResult.Done done = done(log.stop(target("db1", 5)));
        assertThat(done.now()).isEqualTo(ResourceState.STOPPED);
        assertThat(done.detail()).contains("recorded and nothing touched");
        assertThat(log.state(target("db1", 1))).isEqualTo(ResourceState.STOPPED);
        assertThat(log.start(target("db1", 4))).isEqualTo(new ActResult.Stale(5));
        assertThat(done(log.start(target("db1", 6))).now()).isEqualTo(ResourceState.RUNNING);
    }
}
