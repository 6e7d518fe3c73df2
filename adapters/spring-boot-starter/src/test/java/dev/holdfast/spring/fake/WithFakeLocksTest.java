package dev.holdfast.spring.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.LockBusyException;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.WithLock;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.Rival;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** As in docs/SPRING.md. */
@SpringBootTest(classes = WithFakeLocksTest.Application.class)
@WithFakeLocks
@DisplayName("A test of an application")
class WithFakeLocksTest {
    @Autowired
    FakeLocks locks;

    @Autowired
    Reports reports;

    static class Reports {
        @WithLock(name = "report", onBusy = OnBusy.FAIL)
        public String write() {
            return "written";
        }
    }

    @Configuration
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    @Test
    @DisplayName("lets locks be busy, with @WithFakeLocks and nothing else")
    void busy() {
        Rival other = locks.busy("report");
        assertThatExceptionOfType(LockBusyException.class).isThrownBy(reports::write);
        other.free();
        assertThat(reports.write()).isEqualTo("written");
        locks.assertAllReleased();
    }
}
