package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.builtin.LogActuator;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.ProbeStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What acts on a database")
class ActuatorChoiceTest {
    private final Rig rig = new Rig();
    private final Machines machines = new Machines("machines");

    @AfterEach
    void close() {
        rig.close();
    }

    private LocalGuard guard(Optional<String> usual, Actuator... actuators) {
        return new LocalGuard(rig.context(new GuardParts(
                rig.locks,
                rig.documents,
                rig.apps,
                List.of(actuators),
                usual,
                HostAddresses.NONE,
                GuardMeter.NONE,
                rig.clock)));
    }

    @Test
    @DisplayName(
            "is not guessed: a process without one stores the stop, records nothing as stopped, and another does it")
    void notGuessed() throws Exception {
        LocalGuard server = guard(Optional.of("machines"), machines, new LogActuator("log"));
        server.register(Rig.app("a", Rig.use("postgres", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a");

        LocalGuard bare = guard(Optional.empty(), new LogActuator("log"));
        GuardDecision decision = Rig.only(bare.stop("a"));
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("its actuator 'machines' is not configured here");
        assertThat(server.resource(Rig.DB).orElseThrow().state()).isNotEqualTo(ResourceState.STOPPED);

        LocalGuard onlyRecords = guard(Optional.of("log"), new LogActuator("log"));
        GuardDecision recorded = Rig.only(onlyRecords.stop("a"));
        assertThat(recorded.outcome()).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
        assertThat(recorded.reason()).contains("its actuator is 'machines'", "only records");

        server.reconcile(Rig.DB);
        server.reconcile(Rig.DB);
        assertThat(machines.of(Rig.DB)).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("that only records is also not guessed where nobody configured it, and said where it is used")
    void recordsOnly() throws Exception {
        LocalGuard bare = guard(Optional.empty(), new LogActuator("log"));
        bare.register(Rig.app("a", Rig.use("postgres", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(Rig.only(bare.stop("a")).reason()).contains("no actuator for it is configured here");

        LocalGuard recording = guard(Optional.of("log"), new LogActuator("log"));
        GuardDecision recorded = Rig.only(recording.stop("a"));
        assertThat(recorded.outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(recorded.recordedOnly()).isTrue();
        assertThat(recording.resource(Rig.DB).orElseThrow().recordedOnly()).isTrue();
        assertThat(rig.lines).anyMatch(line -> line.contains("stopped (recorded only)"));

        rig.apps.are(ProbeStatus.UP, "a");
        assertThat(recording.reconcile(Rig.DB))
                .as("it never was stopped, so nobody lacks it")
                .isEmpty();
        assertThat(recording.resource(Rig.DB).orElseThrow().neededBy()).isEmpty();
    }

    @Test
    @DisplayName("is asked what came of it: one that says it is done and did nothing is not believed")
    void lies() throws Exception {
        Actuator liar = new Actuator() {
            @Override
            public String name() {
                return "log";
            }

            @Override
            public ActResult stop(ActTarget target) {
                return new ActResult.Done(ResourceState.STOPPED, "of course");
            }

            @Override
            public ActResult start(ActTarget target) {
                return new ActResult.Done(ResourceState.RUNNING, "of course");
            }

            @Override
            public ResourceState state(ActTarget target) {
                return ResourceState.RUNNING;
            }
        };
        LocalGuard guard = guard(Optional.of("log"), liar);
        guard.register(Rig.app("a", Rig.use("postgres", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(Rig.only(guard.stop("a")).outcome()).isEqualTo(GuardOutcome.PENDING);
    }

    @Test
    @DisplayName(
            "under two names is one, if they stand for the same address: who uses either keeps both, and that is said")
    void sameAddress() throws Exception {
        rig.addresses.put("db1", List.of("10.0.0.5"));
        rig.addresses.put("primary", List.of("10.0.0.5"));
        assertThat(rig.guard.register(Rig.app("a", Rig.use("postgres", "db1"))).warnings())
                .isEmpty();
        RegistrationResult second = rig.guard.register(Rig.app("b", Rig.use("postgres", "primary")));
        assertThat(second.warnings())
                .singleElement()
                .asString()
                .contains("db1:5432 is at the same address and port as primary:5432");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.guard.stop("a").decisions())
                .extracting(GuardDecision::outcome)
                .containsOnly(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.db().sameAs()).containsExactly("primary:5432");
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("on this machine is one, however it is called: an app that runs keeps it")
    void loopback() throws Exception {
        rig.guard.register(Rig.app("a", Rig.use("postgres", "localhost:19432")));
        rig.guard.register(Rig.app("b", Rig.use("postgres", "127.0.0.1:19432")));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.guard.resources()).extracting(ResourceView::dbIdentifier).containsExactly("localhost:19432");
    }
}
