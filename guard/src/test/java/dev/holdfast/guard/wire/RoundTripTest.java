package dev.holdfast.guard.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppAnswer;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is written is read back")
class RoundTripTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final Evidence ANSWERED =
            new Evidence("shop", "UP", OptionalInt.of(200), AT).standing(AppStanding.NEEDS);
    private static final ResourceView.Watch WATCHED = new ResourceView.Watch(
            Optional.of(AppStanding.FAILING),
            Optional.of(Duration.ofMinutes(5)),
            Optional.of(AT.plusSeconds(300)),
            Optional.of(AT),
            List.of(
                    new AppAnswer(AppAnswer.Kind.DOWN, OptionalInt.of(503), AT, "answered 503"),
                    new AppAnswer(AppAnswer.Kind.NO_ANSWER, OptionalInt.empty(), AT.minusSeconds(9), "no answer")));
    private static final Evidence SILENT = new Evidence("crm", "UNKNOWN", OptionalInt.empty(), AT);

    @Test
    @DisplayName("an app with everything that can be said of one")
    void app() {
        App app = new App(
                "shop",
                URI.create("http://shop.internal/x?y=1"),
                new HealthCheck.Spec(
                                Optional.of("/health"), List.of("200-299", "404"), List.of("500"), Optional.of("90s"))
                        .toHealthCheck(),
                List.of(
                        database("postgres", "db1", OptionalInt.of(5433), Optional.of("i-0a"), Optional.of("ec2")),
                        database(
                                "postgres",
                                "[0:0:0:0:0:0:0:2]",
                                OptionalInt.of(5432),
                                Optional.empty(),
                                Optional.empty()),
                        database("own", "db2", OptionalInt.empty(), Optional.empty(), Optional.of("log")),
                        AppDatabase.of("redis", Optional.empty(), Optional.of("i-1"), Optional.empty())),
                DesiredState.RUNNING,
                Optional.of(AT),
                false,
                7);

        assertThat(AppJson.read(read(AppJson.write(app)))).isEqualTo(app);
        RegistrationResult result = new RegistrationResult(app, List.of("two names", "one \"host\""));
        assertThat(AppJson.readResult(read(AppJson.write(result)))).isEqualTo(result);
    }

    @Test
    @DisplayName("an app of which nothing is said")
    void plainApp() {
        App app = new App(
                "a",
                URI.create("https://a/"),
                HealthCheck.USUAL,
                List.of(),
                DesiredState.AUTO,
                Optional.empty(),
                false,
                1);

        assertThat(AppJson.read(read(AppJson.write(app)))).isEqualTo(app);
        assertThat(AppJson.warnings(read(AppJson.registered(3, List.of("w"))))).containsExactly("w");
    }

    @Test
    @DisplayName("what came of a stop")
    void answer() {
        GuardAnswer answer = new GuardAnswer(
                "shop", List.of(decision(GuardOutcome.SKIPPED_SHARED_ACTIVE), decision(GuardOutcome.STOPPED)));

        assertThat(AnswerJson.read(read(AnswerJson.write(answer, true)))).isEqualTo(answer);
    }

    @Test
    @DisplayName("a resource")
    void resource() {
        ResourceView view = new ResourceView(
                "db1:5432",
                List.of("neo4j", "postgres"),
                ResourceState.STOPPED,
                "log",
                true,
                List.of(
                        new ResourceView.User(
                                "shop", "DOWN", OptionalInt.of(503), Optional.of(AT), DesiredState.STOPPED, WATCHED),
                        new ResourceView.User(
                                "crm",
                                "UNKNOWN",
                                OptionalInt.empty(),
                                Optional.empty(),
                                DesiredState.AUTO,
                                ResourceView.Watch.NONE)),
                List.of(new Intent("crm", AT), new Intent("shop", AT.plusSeconds(1))),
                List.of("shop"),
                List.of("db2:5432"),
                List.of(decision(GuardOutcome.NEEDED)),
                List.of("two actuators"));

        assertThat(ResourceJson.read(read(ResourceJson.write(view)))).isEqualTo(view);
    }

    @Test
    @DisplayName("whether an app answers")
    void status() {
        for (QuickStatus.Word word : QuickStatus.Word.values()) {
            QuickStatus seen = new QuickStatus("shop", word, OptionalInt.of(503), AT);
            assertThat(StatusJson.read(read(StatusJson.write(seen)))).isEqualTo(seen);
        }
    }

    @Test
    @DisplayName("a registration says only what was said")
    void registration() {
        Registration plain = new Registration(
                "a",
                "http://a/",
                List.of(new Registration.Use("redis", Optional.of("db1"), Optional.empty(), Optional.empty())),
                Optional.empty());
        Registration full = new Registration(
                "a",
                "http://a/",
                List.of(),
                Optional.of("stopped"),
                Optional.of(new HealthCheck.Spec(Optional.of("/h"), List.of("200"), List.of(), Optional.of("10m"))));

        assertThat(text(AppJson.write(plain)))
                .isEqualTo(
                        "{\"app\":\"a\",\"url\":\"http://a/\",\"databases\":[{\"type\":\"redis\",\"host\":\"db1\"}]}");
        assertThat(text(AppJson.write(full)))
                .isEqualTo("{\"app\":\"a\",\"url\":\"http://a/\",\"databases\":[],\"desired\":\"stopped\","
                        + "\"health\":{\"path\":\"/h\",\"up\":[\"200\"],\"down\":[],\"down_after\":\"10m\"}}");
    }

    @Test
    @DisplayName("what is not the shape expected is refused, naming what is missing")
    void other() {
        assertThatThrownBy(() -> AnswerJson.read(Json.object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'app'");
    }

    @Test
    @DisplayName("a word of a newer version is refused, naming it and what to do")
    void newerWord() {
        Json.Obj answer = AnswerJson.write(decision(GuardOutcome.STOPPED)).with("decision", Json.of("hibernated"));
        assertThatThrownBy(() -> AnswerJson.readDecision(answer))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessage("This version of Holdfast does not know the decision 'hibernated'; upgrade it");
    }

    private static AppDatabase database(
            String type, String host, OptionalInt port, Optional<String> instance, Optional<String> actuator) {
        return new AppDatabase(type, Optional.of(host), port, instance, actuator, List.of());
    }

    private static GuardDecision decision(GuardOutcome outcome) {
        GuardDecision decision = new GuardDecision(
                "db1:5432", outcome, "because \u00e4", List.of(ANSWERED, SILENT), "shop", AT, 42, true);
        return outcome == GuardOutcome.STOPPED
                ? decision.after(new GuardDecision.Act(true, "no such machine"))
                : decision;
    }

    private static Json read(Json written) {
        return Json.parse(written.bytes());
    }

    private static String text(Json json) {
        return new String(json.bytes(), StandardCharsets.UTF_8);
    }
}
