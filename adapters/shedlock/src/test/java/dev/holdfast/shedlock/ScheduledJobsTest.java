package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.model.EventType;
import dev.holdfast.spi.EventLog;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** An application with scheduled jobs, with ShedLock's annotations and Holdfast's provider, started twice. */
class ScheduledJobsTest {
    @TempDir
    static Path directory;

    static String url() {
        return "sqlite:" + directory.resolve("locks.db");
    }

    @Configuration
    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Jobs {
        @Bean
        LockClient locks() {
            return LockClient.connect(url());
        }

        @Bean
        LockProvider lockProvider(LockClient locks) {
            return new HoldfastLockProvider(locks);
        }

        /** As Spring Boot has it: it ends before the client is closed. */
        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        Report report() {
            return new Report();
        }
    }

    static class Report {
        static final AtomicInteger RUNS = new AtomicInteger();
        static final CountDownLatch END = new CountDownLatch(1);

        @Scheduled(fixedDelay = 20)
        @SchedulerLock(name = "report", lockAtMostFor = "1h", lockAtLeastFor = "30m")
        void write() throws InterruptedException {
            LockAssert.assertLocked();
            RUNS.incrementAndGet();
            END.await();
        }
    }

    @Test
    @DisplayName("a job with ShedLock's annotations runs in one of two applications, and everybody can see in which")
    void onceInTwo() {
        try (LockClient looking = LockClient.connect(url());
                AnnotationConfigApplicationContext first = new AnnotationConfigApplicationContext(Jobs.class);
                AnnotationConfigApplicationContext second = new AnnotationConfigApplicationContext(Jobs.class)) {
            Await.until("it runs", () -> Report.RUNS.get() > 0);
            assertThat(first.getBean(LockProvider.class)).isNotSameAs(second.getBean(LockProvider.class));
            assertThat(looking.inspect().get(looking.key("report")).holders()).hasSize(1);
            Report.END.countDown();
            Await.until("it has ended", () -> happened(looking).contains(EventType.RELEASED));
            assertThat(looking.inspect().get(looking.key("report")).isFree())
                    .as("kept for lockAtLeastFor")
                    .isFalse();
            assertThat(Report.RUNS).hasValue(1);
            assertThat(happened(looking)).containsExactly(EventType.RELEASED, EventType.ACQUIRED);
        }
    }

    private static List<EventType> happened(LockClient looking) {
        return looking.inspect().history(EventLog.EventQuery.newest(10).of("default", "report")).stream()
                .map(stored -> stored.event().type())
                .toList();
    }
}
