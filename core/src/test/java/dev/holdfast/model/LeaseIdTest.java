package dev.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lease id of an instance")
class LeaseIdTest {
    @Test
    @DisplayName("is the same for ever: it is stored")
    void fixed() {
        assertThat(LeaseId.ofInstance("alice", "pod-1").value()).isEqualTo("v1.pod-1.K9gGyX8OAK8aH8Myj6djqS");
    }

    @Test
    @DisplayName("tells the instance, and differs for every owner")
    void parts() {
        assertThat(LeaseId.ofInstance("alice", "pod.1").instanceId()).contains("pod.1");
        assertThat(LeaseId.ofInstance("alice", "pod-1")).isNotEqualTo(LeaseId.ofInstance("bob", "pod-1"));
        assertThat(new LeaseId("550e8400-e29b").instanceId()).isEmpty();
        assertThat(new LeaseId("v1.something").instanceId()).isEmpty();
    }

    @Test
    @DisplayName("is refused where the instance's name could not be part of one")
    void refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseId.ofInstance("alice", "pod 1"));
    }
}
